/* Recognises the format of data from its first bytes. */
#ifndef DEJANK_INPUT_SNIFF_H
#define DEJANK_INPUT_SNIFF_H

#include <stdbool.h>

#include "input/stream.h"

enum dj_wrapping {
    DJ_WRAPPING_NONE,   /* Data that needs no unpacking: text, or data for a parser. */
    DJ_WRAPPING_CODED,  /* A compressed or encoded stream. */
    DJ_WRAPPING_ZIP,    /* A zip archive. */
    DJ_WRAPPING_TAR,    /* A tar archive. */
    DJ_WRAPPING_FOREIGN /* A format that dejank cannot read. */
};

struct dj_sniffed {
    enum dj_wrapping wrapping;
    /* Name of the format, such as "zstd", or NULL for DJ_WRAPPING_NONE. */
    const char *format;
    /* The command that unpacks this format. Only for DJ_WRAPPING_FOREIGN. */
    const char *unpacker;
    /* Creates the decoding stream. Only for DJ_WRAPPING_CODED. */
    struct dj_stream *(*open)(struct dj_stream *below);
};

/* Recognises the format of an input from its first `length` bytes. DJ_TAR_BLOCK bytes are
 * enough. */
const struct dj_sniffed *dj_sniff(const char *bytes, size_t length);

/* Returns whether the first bytes of an archive entry show that it is no text. */
bool dj_sniff_binary(const char *bytes, size_t length);

/* Returns the first character of a text that is no blank and no byte order mark, or NUL
 * if there is none. */
char dj_input_sniff_find_first(const char *bytes, size_t length);

#endif
