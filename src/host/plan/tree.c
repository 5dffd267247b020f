#include "plan/tree.h"

#include <stdarg.h>

void dj_plan_fault_at(struct dj_plan_faults *faults, size_t line, size_t column,
                      const char *format, ...)
{
    char message[400];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof(message), format, list);
    va_end(list);
    if (faults->count++ < DJ_PLAN_FAULTS) {
        dj_text_format(&faults->lines, "%s:%zu:%zu: %s\n", faults->file, line, column,
                       message);
    }
}

static struct dj_tree_node *own(const struct dj_tree_node *map, const char *key)
{
    for (size_t i = 0; map->kind == DJ_TREE_MAP && i + 1 < map->count; i += 2) {
        const struct dj_tree_node *name = map->items[i];
        if (name->kind == DJ_TREE_SCALAR && strcmp(name->text, key) == 0) {
            return map->items[i + 1];
        }
    }
    return NULL;
}

struct dj_tree_node *dj_tree_get(const struct dj_tree_node *map, const char *key)
{
    struct dj_tree_node *value = own(map, key);
    struct dj_tree_node *merged = own(map, "<<");
    if (value != NULL || merged == NULL || merged == map) {
        return value;
    }
    if (merged->kind == DJ_TREE_MAP) {
        return own(merged, key);
    }
    for (size_t i = 0; merged->kind == DJ_TREE_LIST && i < merged->count; i++) {
        value = own(merged->items[i], key);
        if (value != NULL) {
            return value;
        }
    }
    return NULL;
}

void dj_tree_finish(struct dj_tree *tree)
{
    for (size_t i = 0; i < tree->node_count; i++) {
        free(tree->nodes[i].text);
        free(tree->nodes[i].items);
    }
    free(tree->nodes);
    *tree = (struct dj_tree){0};
}
