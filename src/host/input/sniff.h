/* What some bytes are, told from the first of them. */
#ifndef DEJANK_INPUT_SNIFF_H
#define DEJANK_INPUT_SNIFF_H

#include <stdbool.h>

#include "input/stream.h"

enum dj_wrapping {
    DJ_WRAPPING_NONE,   /* text, or something for a parser */
    DJ_WRAPPING_CODED,  /* one stream of bytes made into another */
    DJ_WRAPPING_ZIP,    /* several with names */
    DJ_WRAPPING_TAR,    /* the same */
    DJ_WRAPPING_FOREIGN /* no build reads it */
};

struct dj_sniffed {
    enum dj_wrapping wrapping;
    const char *format;   /* "zstd"; NULL where nothing has to be taken off */
    const char *unpacker; /* of a foreign format: the command that unpacks it */
    struct dj_stream *(*open)(struct dj_stream *below); /* of a coded one */
};

/* Reads the first `length` bytes of an input; DJ_TAR_BLOCK are enough. */
const struct dj_sniffed *dj_sniff(const char *bytes, size_t length);

/* Whether the first bytes of an archive's entry are of no text. */
bool dj_sniff_binary(const char *bytes, size_t length);

/* The first character of a text that is no blank, after a byte order mark; NUL: there is
 * none. */
char dj_sniff_first(const char *bytes, size_t length);

#endif
