/* Writes documents as pages of the server (module serve). */
#ifndef DEJANK_REPORT_SERVED_PAGE_H
#define DEJANK_REPORT_SERVED_PAGE_H

#include <stdint.h>

#include "report/document.h"

struct dj_served_content {
    const struct dj_document *document;
    bool follows;     /* The browser loads the page again when the store changes. */
    int64_t event_id; /* The id of the last change that the page contains. */
    int refresh_s;    /* The browser loads the page again after this time, or 0. */
    /* Paths for the page of a running app: `live` is the path of its events (schema
     * dejank.live/1), or NULL on other pages. `record` is the path that records the app,
     * or NULL. */
    const char *live, *record;
    const char *csrf; /* The token that forms and scripts send with writes. */
};

/* Appends the document as a page with the navigation of the server. */
void dj_report_write_served_page(struct dj_text *text,
                                 const struct dj_served_content *content);

/* Appends the text percent-encoded, as a segment of a path or a value of a query. */
void dj_report_append_encoded(struct dj_text *text, const char *segment);

/* Returns the value of the header Content-Security-Policy for these pages. */
const char *dj_report_get_served_policy(void);

#endif
