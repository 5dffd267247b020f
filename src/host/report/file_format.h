/* The file formats of reports, in one table of suffixes for all verbs that write reports.
 */
#ifndef DEJANK_REPORT_FILE_FORMAT_H
#define DEJANK_REPORT_FILE_FORMAT_H

#include "base/messages.h"
#include "report/batches.h"
#include "report/dump_forms.h"
#include "report/view/view.h"

struct dj_report_format {
    const char *suffix;
    /* `write` writes views as text, and `draw` draws them as a picture. At most one of
     * them is set. If both are NULL, the format is one of `dejank parse` and is written
     * from the text of dumps. */
    void (*write)(struct dj_text *text, const struct dj_views *views);
    int (*draw)(struct dj_text *text, const struct dj_views *views, struct dj_error *err);
    /* Writes batches of the store. If it is NULL, they are written as a document. */
    void (*write_batches)(struct dj_text *text, const struct dj_batches *batches);
    enum dj_form form;
    /* True if the file contains results of instrumentation tests instead of frames. */
    bool tests;
};

/* Returns the format for the suffix of a name, or NULL if there is none. */
const struct dj_report_format *dj_report_format_find(const char *name);

static inline bool dj_report_format_is_drawn(const struct dj_report_format *format)
{
    return format->write != NULL || format->draw != NULL;
}

/* Writes the views in a format with `write` or `draw`. Returns 0 or an error. */
int dj_report_format_draw(const struct dj_report_format *format, struct dj_text *text,
                          const struct dj_views *views, struct dj_error *err);

/* Writes batches in the format of the suffix of `output`, which must be known and not be
 * one for tests. Returns 0 or an error. */
int dj_report_format_write_batches(struct dj_text *text, const char *output,
                                   const struct dj_batches *batches,
                                   struct dj_error *err);

/* Sends a message that lists the suffixes of all formats, or only of formats with `write`
 * or `draw`. */
void dj_report_format_reject(const char *name, bool drawn_only,
                             const struct dj_messages *messages);

#endif
