/* A YAML text as a tree, each node with its position, and the list of faults found in
 * it. */
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
    DJ_PLAN_FAULTS = 20 /* maximum number of reported faults; reading stops there */
};

enum dj_tree_kind { DJ_TREE_SCALAR, DJ_TREE_LIST, DJ_TREE_MAP };

struct dj_tree_node {
    enum dj_tree_kind kind;
    size_t line, column;         /* from 1; the column counts characters */
    char *text;                  /* of a scalar; "" if it is empty */
    bool quoted;                 /* it is quoted, so it is a text in any case */
    struct dj_tree_node **items; /* of a list; for a map: key, value, key, … */
    size_t count;                /* number of items */
};

/* A node that an alias shares has the position of its anchor. */
struct dj_tree {
    struct dj_tree_node *nodes;
    size_t node_count;
    struct dj_tree_node *root; /* NULL: the text is empty */
};

/* The faults of a plan, one line each: "FILE:LINE:COLUMN: message". */
struct dj_plan_faults {
    const char *file;
    struct dj_text lines;
    size_t count;
};

void dj_plan_add_fault_at(struct dj_plan_faults *faults, size_t line, size_t column,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Reports a fault at the position of a node. */
#define dj_plan_add_fault(faults, node, ...)                                             \
    dj_plan_add_fault_at((faults), (node)->line, (node)->column, __VA_ARGS__)

/* Reads one document. Syntax errors, exceeded limits, duplicate keys and aliases that
 * contain themselves are faults: DJ_E_INVALID. Finish the tree in any case. */
int dj_tree_read(const char *bytes, size_t length, struct dj_tree *tree,
                 struct dj_plan_faults *faults, struct dj_error *err);
void dj_tree_finish(struct dj_tree *tree);

/* Returns a map's value, or NULL if it has no such key. Keys of a map under "<<" count
 * if the map itself does not have them. */
struct dj_tree_node *dj_tree_get(const struct dj_tree_node *map, const char *key);

#endif
