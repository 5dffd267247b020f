/* Declarations that several pages of the server use. */
#ifndef DEJANK_SERVE_PAGES_PAGE_H
#define DEJANK_SERVE_PAGES_PAGE_H

#include "report/document.h"
#include "serve/router.h"
#include "serve/state.h"
#include "store/overview.h"

/* Writes the document into the reply, and frees the document. If `follows` is true, the
 * browser reloads the page when the store changes. */
int dj_serve_reply_page(struct dj_call *call, struct dj_document *document, bool follows);

/* Returns DJ_E_NO_DATA if no store exists yet, otherwise 0. */
int dj_serve_need_store(const struct dj_call *call, struct dj_error *err);

/* Appends the choices of a form field: "any", and the names that occur in the store. */
int dj_serve_append_choices(struct dj_text *text, const struct dj_call *call,
                            enum dj_project_part part, const char *project,
                            struct dj_error *err);

/* Appends suggestions for a build: versions, labels and commits in the store. */
int dj_serve_append_builds(struct dj_text *text, const struct dj_call *call,
                           const char *project, struct dj_error *err);

/* Appends the values of all parameters with this name, each followed by a newline. */
void dj_serve_append_values(struct dj_text *text, const struct dj_request *request,
                            const char *name);

/* Sets *key to the key of the batch. `id` is a segment of the path. */
int dj_serve_find_batch(const struct dj_call *call, const char *id, int64_t *key,
                        struct dj_error *err);

/* Finds the run with the number in `word`, a segment of the path. Sets *run to its key,
 * and also the key of its batch. */
int dj_serve_find_run(const struct dj_call *call, const char *word, int64_t *run,
                      int64_t *batch, struct dj_error *err);

/* Appends the path "/FIRST/SECOND", with both parts percent-encoded. SECOND may be
 * NULL. */
void dj_serve_append_path(struct dj_text *text, const char *first, const char *second);

/* Adds a link, and frees the texts. */
void dj_serve_add_link(struct dj_document *document, struct dj_text *path,
                       struct dj_text *title);

/* Adds links to the previous and the next page of a list. `path` is the path with all
 * parameters except "page". */
void dj_serve_add_paging(struct dj_document *document, const char *path, int64_t page,
                         bool has_next);

/* Appends the path of the request with its parameters, except the parameter `without`,
 * and "zoom", which belongs to the charts of one page. The result ends with '?' or
 * '&'. */
void dj_serve_append_address(struct dj_text *text, const struct dj_request *request,
                             const char *without);

#endif
