/* The output formats of `dejank parse`. They are written dump by dump, before the input
 * ends. */
#ifndef DEJANK_REPORT_DUMP_FORMS_H
#define DEJANK_REPORT_DUMP_FORMS_H

#include "base/error.h"
#include "base/messages.h"
#include "base/text.h"
#include "frame/dialect.h"
#include "report/terminal/style.h"

enum dj_form {
    DJ_FORM_PAGE,        /* a page that a person reads */
    DJ_FORM_JSON,        /* schema dejank.parse/1 */
    DJ_FORM_CSV,         /* a line per row of framestats */
    DJ_FORM_CSV_PROFILE, /* a line per row of the simple dump */
    DJ_FORM_TABLE        /* the rows of framestats for eyes */
};

struct dj_forming {
    enum dj_form form;
    bool rows;                        /* of DJ_FORM_JSON: the rows too */
    const struct dj_dialect *release; /* NULL: inferred */
    struct dj_terminal_style style;   /* Of DJ_FORM_PAGE. */
    bool with_details;                /* Of DJ_FORM_PAGE: print everything. */
    bool print; /* to stdout, as it grows; else everything stays in `out` */
};

/*
 * Reads all inputs and writes the form. Sends messages about what inputs lack. *all_ok is
 * false if an input is unreadable or has no frames. Returns 0, or DJ_E_OUTPUT if the
 * output could not be written.
 */
int dj_report_dumps(const struct dj_forming *forming, int count, char **paths,
                    const struct dj_messages *messages, struct dj_text *out, bool *all_ok,
                    struct dj_error *err);

#endif
