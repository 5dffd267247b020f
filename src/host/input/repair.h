/* Repairs text that lost or encoded its line ends, which copying, pasting, logging and
 * terminals do to dumps. */
#ifndef DEJANK_INPUT_REPAIR_H
#define DEJANK_INPUT_REPAIR_H

#include "input/stream.h"

enum dj_text_fault {
    DJ_FAULT_COLORS = 1,  /* colour codes of a terminal; they are removed */
    DJ_FAULT_CR = 2,      /* lines end in CR only; it becomes LF */
    DJ_FAULT_ESCAPED = 4, /* "\n" is two characters, as in a string of JSON or Python */
    DJ_FAULT_QUOTED = 8,  /* … and a quotation mark ends such a string */
    DJ_FAULT_JOINED = 16  /* all lines of a dump are joined; it is split where lines
                           * begin */
};

/* Returns the faults of a text that begins with these bytes: DJ_STREAM_PEEK of them, or
 * all. Only a text that looks like a dump is unescaped or split. */
unsigned dj_repair_find_faults(const char *bytes, size_t length);

/* Creates a stream with the text of another one without these faults. */
struct dj_stream *dj_input_stream_of_repaired(struct dj_stream *below, unsigned faults);

#endif
