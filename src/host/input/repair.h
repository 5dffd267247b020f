/* Repairs the text of dumps in which line ends are lost or encoded. This happens when
 * dumps are copied, pasted, logged or printed on a terminal. */
#ifndef DEJANK_INPUT_REPAIR_H
#define DEJANK_INPUT_REPAIR_H

#include "input/stream.h"

enum dj_text_fault {
    /* There are colour codes of a terminal. The repair removes them. */
    DJ_FAULT_COLORS = 1,
    DJ_FAULT_CR = 2, /* Lines end with CR only. The repair writes LF. */
    /* Line ends are written as "\n", as in a string of JSON or Python. */
    DJ_FAULT_ESCAPED = 4,
    /* A quotation mark ends the string. Only set together with DJ_FAULT_ESCAPED. */
    DJ_FAULT_QUOTED = 8,
    /* A dump has no line ends. The repair splits the dump where lines begin. */
    DJ_FAULT_JOINED = 16
};

/* Returns the faults of a text from its first bytes. `bytes` is the first DJ_STREAM_PEEK
 * bytes, or the whole text if it is shorter. Only texts that look like a dump have
 * DJ_FAULT_ESCAPED, DJ_FAULT_QUOTED or DJ_FAULT_JOINED. */
unsigned dj_repair_find_faults(const char *bytes, size_t length);

/* Creates a stream that contains the text of `below` with these faults repaired. */
struct dj_stream *dj_input_stream_of_repaired(struct dj_stream *below, unsigned faults);

#endif
