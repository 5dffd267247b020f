/* Recognises the kind of data from its first bytes. */
#ifndef DEJANK_INPUT_SNIFF_H
#define DEJANK_INPUT_SNIFF_H

#include <stdbool.h>

#include "input/stream.h"

enum dj_wrapping {
    DJ_WRAPPING_NONE,   /* text, or data for a parser */
    DJ_WRAPPING_CODED,  /* a stream that encodes another one */
    DJ_WRAPPING_ZIP,    /* several files with names */
    DJ_WRAPPING_TAR,    /* the same */
    DJ_WRAPPING_FOREIGN /* no build can read it */
};

struct dj_sniffed {
    enum dj_wrapping wrapping;
    const char *format;   /* "zstd"; NULL: no wrapping */
    const char *unpacker; /* of a foreign format: the command that unpacks it */
    struct dj_stream *(*open)(struct dj_stream *below); /* of an encoded stream */
};

/* Examines the first `length` bytes of an input; DJ_TAR_BLOCK are enough. */
const struct dj_sniffed *dj_sniff(const char *bytes, size_t length);

/* Whether the first bytes of an archive's entry are not text. */
bool dj_sniff_binary(const char *bytes, size_t length);

/* Returns the first character of a text after blanks and a byte order mark; NUL if there
 * is none. */
char dj_input_sniff_find_first(const char *bytes, size_t length);

#endif
