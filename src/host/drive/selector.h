/*
 * Words that name a view: text="Inbox" >> class=Switch [0]. docs/selectors.md has the
 * grammar. Parsed once, and applied to any tree.
 */
#ifndef DEJANK_DRIVE_SELECTOR_H
#define DEJANK_DRIVE_SELECTOR_H

#include "drive/ui_tree.h"

enum { DJ_SELECTOR_BYTES_MAX = 4096 };

struct dj_selector;

/* Reads the whole of `text`. DJ_E_USAGE where it is no selector: the message has the
 * column (characters, from 1) and what was expected, err->offset the byte. The caller
 * destroys it. */
int dj_selector_parse(const char *text, size_t length, struct dj_selector **selector,
                      struct dj_error *err);

/* NULL is fine. */
void dj_selector_destroy(struct dj_selector *selector);

/* As it was written. */
const char *dj_selector_text(const struct dj_selector *selector);

/* The first view it names, in document order. DJ_E_NOT_FOUND says which step found
 * nothing, and names views that come near. */
int dj_selector_find(const struct dj_selector *selector, const struct dj_ui_tree *tree,
                     size_t *node, struct dj_error *err);

/* All of them: node i is meant where matched[i] != 0, of tree->count bytes. False where
 * memory ran out. */
bool dj_selector_match(const struct dj_selector *selector, const struct dj_ui_tree *tree,
                       unsigned char *matched);

#endif
