/* The page of the HTML report, as the build embedded it (tools/embed-page): pieces with
 * slots between them. */
#ifndef DEJANK_REPORT_PAGE_EMBEDDED_H
#define DEJANK_REPORT_PAGE_EMBEDDED_H

#include <stddef.h>

/* The slot after a piece. */
enum dj_page_slot {
    DJ_PAGE_TITLE, /* Escaped text. */
    DJ_PAGE_PLAIN, /* The terminal form, escaped, for browsers without JavaScript. */
    DJ_PAGE_DATA,  /* JSON without '<'. */
    DJ_PAGE_END
};

struct dj_page_piece {
    const unsigned char *bytes;
    size_t length;
    enum dj_page_slot slot;
};

extern const struct dj_page_piece dj_page_pieces[];
extern const size_t dj_page_piece_count;

#endif
