/* Reads a YAML text as a tree. Each node has its position in the text. Also contains the
 * list of faults found in the text. */
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
    /* Maximum number of faults that are reported. Further faults are only counted. */
    DJ_PLAN_FAULTS = 20
};

enum dj_tree_kind { DJ_TREE_SCALAR, DJ_TREE_LIST, DJ_TREE_MAP };

struct dj_tree_node {
    enum dj_tree_kind kind;
    /* Position, counted from 1. Columns are counted in characters. */
    size_t line, column;
    char *text; /* Text of a scalar. It may be "". */
    /* True if the scalar is quoted, so that it is a text even if it looks like a
     * number. */
    bool quoted;
    /* Items of a list, or the keys and values of a map: key, value, key, … */
    struct dj_tree_node **items;
    size_t count; /* Number of items. */
};

/* A tree. If several places refer to one node by an alias, the node has the position of
 * its anchor. */
struct dj_tree {
    struct dj_tree_node *nodes;
    size_t node_count;
    struct dj_tree_node *root; /* The root node, or NULL if the text is empty. */
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

/* Reads one document. Returns DJ_E_INVALID and reports faults for syntax errors, exceeded
 * limits, duplicate keys and aliases that contain themselves. Call dj_tree_finish() in
 * every case. */
int dj_tree_read(const char *bytes, size_t length, struct dj_tree *tree,
                 struct dj_plan_faults *faults, struct dj_error *err);
void dj_tree_finish(struct dj_tree *tree);

/* Returns the value of a key. If the map lacks the key, searches the value of the key
 * "<<", which is a map or a list of maps. Returns NULL if none of these maps has the
 * key. */
struct dj_tree_node *dj_tree_get(const struct dj_tree_node *map, const char *key);

#endif
