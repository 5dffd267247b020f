/*
 * calls: call trees of sampled stacks, and the functions in which janky frames spent more
 * time than smooth ones. The module does not read traces and prints nothing.
 *
 * This header defines the tree. A node is a function together with its callers, so two
 * stacks that begin with the same callers share nodes. A stack is the number of its
 * innermost node. A tree only grows: numbers and strings stay valid until
 * dj_calls_tree_finish().
 */
#ifndef DEJANK_CALLS_TREE_H
#define DEJANK_CALLS_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/str.h"
#include "memory/strings.h"

/* The node without a function. It contains all outermost functions. */
enum { DJ_CALLS_ROOT = 0 };

/* Maximum number of functions in one stack. Outer functions beyond it are left out. */
enum { DJ_CALLS_DEPTH_MAX = 1024 };

struct dj_calls_function {
    /* Name of the function. If no symbol is known: "MODULE!0xOFFSET". */
    const char *name;
    /* Path of the file that contains the function, or "" if unknown. */
    const char *module;
    const char *build_id; /* Build-id of the file in hexadecimal, or "" if unknown. */
    /* For a function without a symbol: its address in the file's own numbering, as in a
     * symbol table. Otherwise 0. */
    uint64_t offset;
    bool named;     /* True if a symbol of the function is known. */
    bool in_kernel; /* True if the function is in the kernel or in a module of the kernel.
                     */
};

struct dj_calls_node {
    /* Number of the caller's node, which is less than the number of this node. */
    uint32_t parent;
    uint32_t function; /* Index in tree->functions. Not valid for DJ_CALLS_ROOT. */
    uint16_t depth; /* Number of callers. 0 for DJ_CALLS_ROOT and outermost functions. */
};

/* A tree that is all zero is empty. */
struct dj_calls_tree {
    struct dj_calls_function *functions; /* Owned by this struct. */
    size_t function_count;
    /* Owned by this struct. Empty or begins with DJ_CALLS_ROOT. */
    struct dj_calls_node *nodes;
    size_t node_count;
    struct dj_map function_places, node_places, string_places;
    struct dj_strings strings;
};

void dj_calls_tree_finish(struct dj_calls_tree *tree);

/* What a trace says about the function of one address. Each part may be empty. */
struct dj_calls_address {
    struct dj_str name, module;
    struct dj_str build_id; /* Build-id of the file in hexadecimal. */
    /* Address in the file's own numbering. Used if the function has no name. If the
     * module is empty, it is the address in memory. */
    uint64_t offset;
    /* True if the function is in the kernel. If another member shows it, may be false. */
    bool in_kernel;
};

/* Returns true if the name of a function is of the form "MODULE!0xOFFSET". */
bool dj_calls_is_offset(struct dj_str name);

/* Returns the index of the function in tree->functions. Adds the function if it is new. A
 * name of the form "MODULE!0xOFFSET" is an offset, not a symbol. */
uint32_t dj_calls_tree_add_function(struct dj_calls_tree *tree,
                                    const struct dj_calls_address *address);

/* Returns the node of the function with these callers. Adds the node if it is new.
 * Returns `parent` if the stack has DJ_CALLS_DEPTH_MAX functions. */
uint32_t dj_calls_tree_add_node(struct dj_calls_tree *tree, uint32_t parent,
                                uint32_t function);

/* Returns the node of the function that called the kernel: the nearest node, at or above
 * `node`, that is not in the kernel. Returns `node` if all functions are in the kernel.
 */
uint32_t dj_calls_tree_find_kernel_caller(const struct dj_calls_tree *tree,
                                          uint32_t node);

/* Copies stacks of one tree to another. Set `from` and `to`, and set the other members to
 * zero. */
struct dj_calls_copy {
    const struct dj_calls_tree *from;
    struct dj_calls_tree *to;
    /* For each node and for each function of `from`, its number in `to` plus 1, or 0 if
     * it was not copied yet. Owned by this struct. */
    uint32_t *nodes, *functions;
    size_t node_count, function_count;
};

/* Copies a node of `from` with its callers, if `to` does not contain it yet. Returns the
 * number of the copy in `to`. */
uint32_t dj_calls_copy_node(struct dj_calls_copy *copy, uint32_t node);
void dj_calls_copy_finish(struct dj_calls_copy *copy);

#endif
