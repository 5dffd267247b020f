#include <stdarg.h>
#include <yaml.h>

#include "memory/memory.h"
#include "plan/tree.h"

void dj_plan_add_fault_at(struct dj_plan_faults *faults, size_t line, size_t column,
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

static struct dj_tree_node *get_own(const struct dj_tree_node *map, const char *key)
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
    struct dj_tree_node *value = get_own(map, key);
    struct dj_tree_node *merged = get_own(map, "<<");
    if (value != NULL || merged == NULL || merged == map) {
        return value;
    }
    if (merged->kind == DJ_TREE_MAP) {
        return get_own(merged, key);
    }
    for (size_t i = 0; merged->kind == DJ_TREE_LIST && i < merged->count; i++) {
        value = get_own(merged->items[i], key);
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

static void build_list(struct dj_tree *tree, struct dj_tree_node *node,
                       const yaml_node_t *from)
{
    node->kind = DJ_TREE_LIST;
    size_t count =
        (size_t)(from->data.sequence.items.top - from->data.sequence.items.start);
    node->items = dj_xcalloc(count, sizeof(*node->items));
    for (size_t i = 0; i < count; i++) {
        node->items[i] = &tree->nodes[from->data.sequence.items.start[i] - 1];
    }
    node->count = count;
}

static void build_map(struct dj_tree *tree, struct dj_tree_node *node,
                      const yaml_node_t *from)
{
    node->kind = DJ_TREE_MAP;
    size_t count =
        (size_t)(from->data.mapping.pairs.top - from->data.mapping.pairs.start);
    node->items = dj_xcalloc(count * 2, sizeof(*node->items));
    for (size_t i = 0; i < count; i++) {
        const yaml_node_pair_t *pair = &from->data.mapping.pairs.start[i];
        node->items[i * 2] = &tree->nodes[pair->key - 1];
        node->items[i * 2 + 1] = &tree->nodes[pair->value - 1];
    }
    node->count = count * 2;
}

static void build_node(struct dj_tree *tree, struct dj_tree_node *node,
                       const yaml_node_t *from)
{
    /* libyaml counts lines and columns from 0, and dejank counts them from 1. Columns are
     * counted in characters. */
    node->line = from->start_mark.line + 1;
    node->column = from->start_mark.column + 1;
    if (from->type == YAML_SCALAR_NODE) {
        node->kind = DJ_TREE_SCALAR;
        node->quoted = from->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
        node->text =
            dj_xcopy((const char *)from->data.scalar.value, from->data.scalar.length);
    } else if (from->type == YAML_SEQUENCE_NODE) {
        build_list(tree, node, from);
    } else {
        build_map(tree, node, from);
    }
}

static void build_document(struct dj_tree *tree, yaml_document_t *document)
{
    size_t count = (size_t)(document->nodes.top - document->nodes.start);
    tree->nodes = dj_xcalloc(count, sizeof(*tree->nodes));
    tree->node_count = count;
    for (size_t i = 0; i < count; i++) {
        build_node(tree, &tree->nodes[i], &document->nodes.start[i]);
    }
    tree->root = count > 0 ? &tree->nodes[0] : NULL;
}

/* Returns whether the tree is nested too deep. This includes a list or map that contains
 * itself through an alias, because its depth is infinite. */
static bool is_too_deep(const struct dj_tree_node *node, size_t depth,
                        struct dj_plan_faults *faults, size_t *visits)
{
    if (depth > DJ_PLAN_DEPTH || ++*visits > (size_t)DJ_PLAN_NODES * 4) {
        dj_plan_add_fault(faults, node,
                          "nested deeper than %d, or an alias that contains itself",
                          DJ_PLAN_DEPTH);
        return true;
    }
    for (size_t i = 0; i < node->count; i++) {
        if (is_too_deep(node->items[i], depth + 1, faults, visits)) {
            return true;
        }
    }
    return false;
}

/* Reports duplicate keys. YAML forbids them, but libyaml accepts them. */
static void find_duplicate_keys(const struct dj_tree *tree, struct dj_plan_faults *faults)
{
    for (size_t n = 0; n < tree->node_count; n++) {
        const struct dj_tree_node *map = &tree->nodes[n];
        for (size_t i = 0; map->kind == DJ_TREE_MAP && i < map->count; i += 2) {
            const struct dj_tree_node *key = map->items[i];
            if (key->kind != DJ_TREE_SCALAR) {
                dj_plan_add_fault(faults, key, "expected a name before the colon");
                continue;
            }
            for (size_t k = 0; k < i; k += 2) {
                const struct dj_tree_node *first = map->items[k];
                if (first->kind == DJ_TREE_SCALAR &&
                    strcmp(first->text, key->text) == 0) {
                    dj_plan_add_fault(faults, key, "'%s' occurs twice, first in line %zu",
                                      key->text, first->line);
                    break;
                }
            }
        }
    }
}

static int report_parser_fault(const yaml_parser_t *parser, struct dj_plan_faults *faults)
{
    dj_xcheck(parser->error != YAML_MEMORY_ERROR);
    size_t line = parser->problem_mark.line + 1;
    size_t column = parser->problem_mark.column + 1;
    bool unreadable = parser->error == YAML_READER_ERROR;
    const char *problem = parser->problem != NULL ? parser->problem
                          : unreadable            ? "unreadable"
                                                  : "no YAML";
    if (unreadable) {
        dj_plan_add_fault_at(faults, 1, 1, "not UTF-8 text at byte %zu: %s",
                             parser->problem_offset, problem);
    } else {
        dj_plan_add_fault_at(faults, line, column, "%s%s%s",
                             parser->context != NULL ? parser->context : "",
                             parser->context != NULL ? ", " : "", problem);
    }
    return DJ_E_INVALID;
}

/* Reads one document. A second document is a fault, because it would be ignored. */
static int read_document(yaml_parser_t *parser, struct dj_tree *tree,
                         struct dj_plan_faults *faults)
{
    yaml_document_t document;
    yaml_document_t next;
    if (!yaml_parser_load(parser, &document)) {
        return report_parser_fault(parser, faults);
    }
    size_t nodes = (size_t)(document.nodes.top - document.nodes.start);
    int result = 0;
    if (nodes > DJ_PLAN_NODES) {
        dj_plan_add_fault_at(faults, 1, 1, "%zu values, expected at most %d", nodes,
                             DJ_PLAN_NODES);
        result = DJ_E_INVALID;
    } else {
        build_document(tree, &document);
    }
    yaml_document_delete(&document);
    if (result == 0 && tree->root != NULL) {
        if (!yaml_parser_load(parser, &next)) {
            return report_parser_fault(parser, faults);
        }
        const yaml_node_t *root = yaml_document_get_root_node(&next);
        if (root != NULL) {
            dj_plan_add_fault_at(faults, root->start_mark.line + 1,
                                 root->start_mark.column + 1,
                                 "a second document; expected one plan in a file");
            result = DJ_E_INVALID;
        }
        yaml_document_delete(&next);
    }
    return result;
}

int dj_tree_read(const char *bytes, size_t length, struct dj_tree *tree,
                 struct dj_plan_faults *faults, struct dj_error *err)
{
    yaml_parser_t parser;
    *tree = (struct dj_tree){0};
    if (length > DJ_PLAN_BYTES) {
        dj_plan_add_fault_at(faults, 1, 1, "%zu bytes, expected at most %d", length,
                             DJ_PLAN_BYTES);
        return dj_error_set(err, DJ_E_INVALID, "%s is not a valid plan", faults->file);
    }
    dj_xcheck(yaml_parser_initialize(&parser) != 0);
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, length);
    int result = read_document(&parser, tree, faults);
    yaml_parser_delete(&parser);
    size_t visits = 0;
    if (result == 0 && tree->root != NULL) {
        find_duplicate_keys(tree, faults);
        is_too_deep(tree->root, 0, faults, &visits);
        result = faults->count > 0 ? DJ_E_INVALID : 0;
    }
    return result == 0
               ? 0
               : dj_error_set(err, result, "%s is not a valid plan", faults->file);
}
