/* The forms in which `dejank parse` says what its inputs hold, written as the dumps come:
 * nothing waits for the input's end. */
#ifndef DEJANK_CLI_FORMS_H
#define DEJANK_CLI_FORMS_H

#include "base/text.h"
#include "frame/dialect.h"

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
    bool print; /* to stdout, as it grows; else everything stays in `out` */
};

/* Reads all inputs and writes the form. Returns an exit code: the worst of the inputs, or
 * that of an output that could not be written. */
int dj_forms_write(const struct dj_forming *forming, int count, char **paths,
                   struct dj_text *out);

#endif
