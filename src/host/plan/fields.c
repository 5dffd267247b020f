#include "plan/fields.h"

#include <math.h>

#include "base/duration.h"
#include "plan/suggest.h"

enum { FIELDS_MOST = 40 };

const char *dj_fields_node_kind(const struct dj_tree_node *node)
{
    static const char *const kinds[] = {"a single value", "a list", "a map"};
    return node->kind == DJ_TREE_SCALAR && node->text[0] == '\0' && !node->quoted
               ? "nothing"
               : kinds[node->kind];
}

const char *dj_fields_describe_node(const struct dj_tree_node *node)
{
    return node->kind == DJ_TREE_SCALAR ? node->text : dj_fields_node_kind(node);
}

void dj_fields_suggest(const char *word, const char *const *words, size_t count,
                       char *buffer, size_t size)
{
    struct dj_suggestion suggestion = {.word = dj_str_of(word)};
    for (size_t i = 0; i < count; i++) {
        dj_plan_suggestion_add(&suggestion, dj_str_of(words[i]), dj_str_of(words[i]));
    }
    if (suggestion.best.length > 0) {
        snprintf(buffer, size, "; did you mean '%s'?", suggestion.best.at);
        return;
    }
    size_t at = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < count && at < size; i++) {
        const char *before = i == 0 ? "; expected " : i + 1 == count ? " or " : ", ";
        int wrote = snprintf(buffer + at, size - at, "%s%s", before, words[i]);
        at += wrote > 0 ? (size_t)wrote : 0;
    }
}

static bool read_number(const char *text, double *number, const char **rest)
{
    char *end;
    if (text[0] == '\0' || strchr("0123456789.", text[0]) == NULL ||
        strncasecmp(text, "0x", 2) == 0) {
        return false;
    }
    *number = strtod(text, &end);
    *rest = end;
    return isfinite(*number);
}

static bool read_text(const struct dj_field *field, const char *text, void *value)
{
    (void)field;
    *(const char **)value = text;
    return text[0] != '\0';
}

static bool read_count(const struct dj_field *field, const char *text, void *value)
{
    double number;
    const char *rest;
    if (!read_number(text, &number, &rest) || *rest != '\0' || floor(number) != number ||
        number < (double)field->least || number > (double)field->most) {
        return false;
    }
    *(int64_t *)value = (int64_t)number;
    return true;
}

static bool read_duration(const struct dj_field *field, const char *text, void *value)
{
    int64_t ns;
    if (!dj_duration_parse(text, &ns) || ns < field->least) {
        return false;
    }
    *(int64_t *)value = ns;
    return true;
}

static bool read_rate(const struct dj_field *field, const char *text, void *value)
{
    double hz;
    const char *rest;
    (void)field;
    if (!read_number(text, &hz, &rest) || hz <= 0 || hz > 1000) {
        return false;
    }
    rest += strspn(rest, " ");
    *(double *)value = hz;
    return *rest == '\0' || strcasecmp(rest, "Hz") == 0;
}

bool dj_fields_read_flag(const char *text, bool *value)
{
    static const struct {
        const char *word;
        bool value;
    } words[] = {{"true", true}, {"false", false}, {"yes", true},
                 {"no", false},  {"on", true},     {"off", false}};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strcasecmp(text, words[i].word) == 0) {
            *value = words[i].value;
            return true;
        }
    }
    return false;
}

static bool read_flag(const struct dj_field *field, const char *text, void *value)
{
    (void)field;
    return dj_fields_read_flag(text, value);
}

static const struct {
    bool (*read)(const struct dj_field *field, const char *text, void *value);
    const char *expected;
} kinds[] = {
    [DJ_FIELD_TEXT] = {read_text, "a text"},
    [DJ_FIELD_COUNT] = {read_count, "a whole number"},
    [DJ_FIELD_DURATION] = {read_duration, "a duration such as 10s, 1.5s or 200ms"},
    [DJ_FIELD_RATE] = {read_rate, "a rate in Hz, at most 1000"},
    [DJ_FIELD_FLAG] = {read_flag, "true or false"},
};

static void report_expected(const struct dj_field *field, const struct dj_tree_node *node,
                            struct dj_plan_faults *faults)
{
    char range[80] = "";
    if (field->kind == DJ_FIELD_COUNT) {
        snprintf(range, sizeof(range), " of %lld to %lld", (long long)field->least,
                 (long long)field->most);
    } else if (field->kind == DJ_FIELD_DURATION && field->least > 0) {
        snprintf(range, sizeof(range), " of at least %g s", (double)field->least / 1e9);
    }
    if (node->kind == DJ_TREE_SCALAR && (node->text[0] != '\0' || node->quoted)) {
        dj_plan_add_fault(faults, node, "'%s': expected %s%s, found '%.60s'", field->name,
                          kinds[field->kind].expected, range, node->text);
    } else {
        dj_plan_add_fault(faults, node, "'%s': expected %s%s, found %s", field->name,
                          kinds[field->kind].expected, range, dj_fields_node_kind(node));
    }
}

static void read_field(const struct dj_field *field, const struct dj_tree_node *node,
                       void *values, struct dj_plan_faults *faults)
{
    char *value = (char *)values + field->offset;
    if (field->kind == DJ_FIELD_NODE) {
        *(const struct dj_tree_node **)(void *)value = node;
    } else if (node->kind != DJ_TREE_SCALAR ||
               !kinds[field->kind].read(field, node->text, value)) {
        report_expected(field, node, faults);
    }
}

static void find_unknown(const struct dj_tree_node *map,
                         const struct dj_field_table *table,
                         struct dj_plan_faults *faults)
{
    const char *names[FIELDS_MOST];
    char near[320];
    for (size_t i = 0; i < table->count && i < FIELDS_MOST; i++) {
        names[i] = table->fields[i].name;
    }
    for (size_t i = 0; i < map->count; i += 2) {
        const struct dj_tree_node *key = map->items[i];
        bool known = strcmp(key->text, "<<") == 0;
        for (size_t k = 0; k < table->count && !known; k++) {
            known = strcmp(key->text, table->fields[k].name) == 0;
        }
        if (!known) {
            dj_fields_suggest(key->text, names, table->count, near, sizeof(near));
            dj_plan_add_fault(faults, key, "%s has no '%.40s'%s", table->what, key->text,
                              near);
        }
    }
}

void dj_fields_report_kind(const struct dj_tree_node *node, const char *expected,
                           const char *hint, struct dj_plan_faults *faults)
{
    bool is_value =
        node->kind == DJ_TREE_SCALAR && (node->text[0] != '\0' || node->quoted);
    dj_plan_add_fault(faults, node, "expected %s, found %s%.60s%s. hint: %s", expected,
                      is_value ? "'" : "",
                      is_value ? node->text : dj_fields_node_kind(node),
                      is_value ? "'" : "", hint);
}

bool dj_fields_read(const struct dj_tree_node *map, const struct dj_field_table *table,
                    void *values, struct dj_plan_faults *faults)
{
    if (map->kind != DJ_TREE_MAP) {
        char expected[80];
        snprintf(expected, sizeof(expected), "%s as a map", table->what);
        dj_fields_report_kind(map, expected, table->hint, faults);
        return false;
    }
    find_unknown(map, table, faults);
    for (size_t i = 0; i < table->count; i++) {
        const struct dj_field *field = &table->fields[i];
        const struct dj_tree_node *node = dj_tree_get(map, field->name);
        if (node != NULL) {
            read_field(field, node, values, faults);
        } else if (field->required) {
            /* The version of the format is the only number that every plan needs. */
            bool version = strcmp(field->name, "plan") == 0;
            dj_plan_add_fault(faults, map, "%s lacks '%s'%s", table->what, field->name,
                              version ? "; the first line of a plan is 'plan: 1'" : "");
        }
    }
    return true;
}
