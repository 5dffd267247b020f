/* A YAML text as a tree of our own, each node with its place; and the faults found in it.
 * Private to this module. */
#ifndef DEJANK_PLAN_TREE_H
#define DEJANK_PLAN_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum {
    DJ_PLAN_BYTES = 1 << 20,
    DJ_PLAN_NODES = 20000,
    DJ_PLAN_DEPTH = 16,
    DJ_PLAN_FAULTS = 20 /* told of; further ones are not looked for */
};

enum dj_tree_kind { DJ_TREE_SCALAR, DJ_TREE_LIST, DJ_TREE_MAP };

struct dj_tree_node {
    enum dj_tree_kind kind;
    size_t line, column;         /* from 1, in characters */
    char *text;                  /* of a scalar; "" where nothing stands there */
    bool quoted;                 /* … which is a text, then, whatever it looks like */
    struct dj_tree_node **items; /* of a list; of a map key, value, key, … */
    size_t count;                /* of items */
};

/* Where a place's own node is shared by an alias, it is the anchor's. */
struct dj_tree {
    struct dj_tree_node *nodes;
    size_t node_count;
    struct dj_tree_node *root; /* NULL: an empty text */
};

/* What is wrong with a plan, one line each: "FILE:LINE:COLUMN: message". */
struct dj_plan_faults {
    const char *file;
    struct dj_text lines;
    size_t count;
};

void dj_plan_fault_at(struct dj_plan_faults *faults, size_t line, size_t column,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same at the place of a node. */
#define dj_plan_fault(faults, node, ...)                                                 \
    dj_plan_fault_at((faults), (node)->line, (node)->column, __VA_ARGS__)

/* Reads one document. Syntax, sizes, keys that stand twice and aliases into themselves
 * are faults: DJ_E_INVALID. Finish the tree in every case. */
int dj_tree_read(const char *bytes, size_t length, struct dj_tree *tree,
                 struct dj_plan_faults *faults, struct dj_error *err);
void dj_tree_finish(struct dj_tree *tree);

/* A map's value; NULL: it has no such key. What stands under "<<" counts too, where the
 * map itself lacks the key. */
struct dj_tree_node *dj_tree_get(const struct dj_tree_node *map, const char *key);

#endif
