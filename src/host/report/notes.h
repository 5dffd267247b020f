/* What a reader of a report must know beside the figures, as sentences: the same for
 * terminal and HTML. */
#ifndef DEJANK_REPORT_NOTES_H
#define DEJANK_REPORT_NOTES_H

#include "report/view.h"

/* Told each sentence, without newline; names in it are escaped for a terminal. */
struct dj_note_sink {
    void (*note)(void *context, const char *sentence);
    void *context;
};

void dj_notes_of(const struct dj_view *view, const struct dj_note_sink *sink);

/* "No frames were recorded …" with the reason as far as the dump tells it. Only for empty
 * views. */
void dj_note_empty(const struct dj_view *view, struct dj_text *sentence);

#endif
