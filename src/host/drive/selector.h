/*
 * Selectors of views, such as text="Inbox" >> class=Switch [0]. docs/selectors.md has the
 * grammar. A selector is parsed once and can be applied to any tree.
 */
#ifndef DEJANK_DRIVE_SELECTOR_H
#define DEJANK_DRIVE_SELECTOR_H

#include "drive/ui_tree.h"

enum { DJ_SELECTOR_BYTES_MAX = 4096 };

struct dj_selector;

/* Parses the whole `text`. The caller destroys the selector. Returns DJ_E_USAGE for
 * invalid text. The message has the column, which counts characters from 1, and what was
 * expected. err->offset is the offset in bytes. */
int dj_drive_selector_parse(const char *text, size_t length,
                            struct dj_selector **selector, struct dj_error *err);

/* Frees the selector. NULL is allowed. */
void dj_drive_selector_destroy(struct dj_selector *selector);

/* Returns the text that was parsed. */
const char *dj_drive_selector_text(const struct dj_selector *selector);

/* Finds the first view that matches, in document order. Returns DJ_E_NOT_FOUND if there
 * is none. The message names the step that found nothing, and similar views. */
int dj_drive_selector_find(const struct dj_selector *selector,
                           const struct dj_ui_tree *tree, size_t *node,
                           struct dj_error *err);

/* Finds all views that match. Sets matched[i] to 1 for each such node i, and to 0 for the
 * others. `matched` has tree->count bytes. Returns false if memory ran out. */
bool dj_drive_selector_match(const struct dj_selector *selector,
                             const struct dj_ui_tree *tree, unsigned char *matched);

#endif
