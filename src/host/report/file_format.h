/* The files a report can be: one table of suffixes, for every verb that draws. */
#ifndef DEJANK_REPORT_FILE_FORMAT_H
#define DEJANK_REPORT_FILE_FORMAT_H

#include "base/messages.h"
#include "report/batches.h"
#include "report/dump_forms.h"
#include "report/view/view.h"

struct dj_report_format {
    const char *suffix;
    /* One of these writes views, the second a picture. NULL, both: the format is a form
     * of `parse`, made from the text of dumps. */
    void (*write)(struct dj_text *text, const struct dj_views *views);
    int (*draw)(struct dj_text *text, const struct dj_views *views, struct dj_error *err);
    /* Writes batches of the store; NULL: as a document. */
    void (*write_batches)(struct dj_text *text, const struct dj_batches *batches);
    enum dj_form form;
    bool tests; /* it is of instrumentation tests, not of frames */
};

/* Finds the format of the name's suffix. NULL: there is none. */
const struct dj_report_format *dj_report_format_find(const char *name);

static inline bool dj_report_format_is_drawn(const struct dj_report_format *format)
{
    return format->write != NULL || format->draw != NULL;
}

/* Writes the views in a format that is drawn: 0, or an error. */
int dj_report_format_draw(const struct dj_report_format *format, struct dj_text *text,
                          const struct dj_views *views, struct dj_error *err);

/* Sends a message that lists the suffixes: of drawn formats, or of all. */
void dj_report_format_reject(const char *name, bool drawn_only,
                             const struct dj_messages *messages);

#endif
