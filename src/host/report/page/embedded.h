/* The HTML pages that the build embeds with tools/embed-page. A page consists of pieces
 * of text with slots between them, which dejank fills. */
#ifndef DEJANK_REPORT_PAGE_EMBEDDED_H
#define DEJANK_REPORT_PAGE_EMBEDDED_H

#include <stddef.h>

/* The slot after a piece. */
enum dj_page_slot {
    DJ_PAGE_TITLE, /* A place for escaped text. */
    DJ_PAGE_PLAIN, /* HTML that needs no script. */
    DJ_PAGE_DATA,  /* JSON without '<', for the script. */
    DJ_PAGE_END
};

struct dj_page_piece {
    const unsigned char *bytes;
    size_t length;
    enum dj_page_slot slot;
};

struct dj_page {
    const struct dj_page_piece *pieces;
    size_t piece_count;
    const char *policy; /* The page's content security policy. */
};

/* The HTML pages: for a dump or batches, for a document, and for a document with the
 * navigation of the server. */
extern const struct dj_page dj_report_page, dj_document_page, dj_served_page;

#endif
