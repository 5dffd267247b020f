/* The output formats of `dejank parse`. The output is written dump by dump, before the
 * input ends. */
#ifndef DEJANK_REPORT_DUMP_FORMS_H
#define DEJANK_REPORT_DUMP_FORMS_H

#include "base/error.h"
#include "base/messages.h"
#include "base/text.h"
#include "frame/dialect.h"
#include "report/document.h"
#include "report/terminal/style.h"

enum dj_form {
    DJ_FORM_PAGE,        /* A page of text for people. */
    DJ_FORM_JSON,        /* JSON with the schema dejank.parse/1. */
    DJ_FORM_CSV,         /* CSV with a line for each row of framestats. */
    DJ_FORM_CSV_PROFILE, /* CSV with a line for each row of the simple dump. */
    DJ_FORM_TABLE,       /* The rows of framestats as a table for people. */
    DJ_FORM_JANK         /* A line for each window with the figure of a jank rule. */
};

struct dj_forming {
    enum dj_form form;
    const char *jank_rule; /* For DJ_FORM_JANK: the slug of a jank rule, or "all". */
    bool rows;             /* For DJ_FORM_JSON: whether the rows are included. */
    /* Release whose rule applies, or NULL to infer it from the dump. */
    const struct dj_dialect *release;
    /* For DJ_FORM_PAGE: the abilities of the terminal. */
    struct dj_terminal_style style;
    /* For DJ_FORM_PAGE: whether the details are included. */
    bool with_details;
    bool print; /* True to print the output while it grows. False to keep it in `out`. */
};

/*
 * Reads all inputs and writes them in the chosen format. Sends messages about data that
 * the inputs lack. Sets *all_ok to false if an input is unreadable or has no frames.
 * Returns 0, or DJ_E_OUTPUT if the output could not be written.
 */
int dj_report_dumps(const struct dj_forming *forming, int count, char **paths,
                    const struct dj_messages *messages, struct dj_text *out, bool *all_ok,
                    struct dj_error *err);

/* Appends gfxinfo text as JSON with schema dejank.parse/1 and with its rows. `source` is
 * its name. */
void dj_report_write_text_json(struct dj_text *out, const char *source,
                               const struct dj_text *gfxinfo,
                               const struct dj_dialect *release);

/* Adds a table of the jank rules that `word` names: the slug of a rule, or "all". Each
 * row has the slug, name, unit, formula and source. */
void dj_report_add_jank_rules(struct dj_document *document, const char *word);

#endif
