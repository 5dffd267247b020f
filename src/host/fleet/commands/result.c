#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "fleet/commands/commands.h"
#include "memory/memory.h"

enum { TERMINAL_ROWS = 40, PERCENTILES = 4 };

static const unsigned percentiles[PERCENTILES] = {50, 90, 95, 99};
static const char *const percentile_names[PERCENTILES] = {"p50_ms", "p90_ms", "p95_ms",
                                                          "p99_ms"};

/* The counters of a group: name, count, and the sessions or frames that it is a part
 * of. */
struct counter {
    const char *name, *of_name;
    size_t count, of;
};
#define AT(member) offsetof(struct dj_fleet_group, member)
static const struct counter counters[] = {
    {"janky", "janky_of", AT(janky), AT(janky_of)},
    {"slow", "slow_of", AT(slow), AT(slow_of)},
    {"frozen", "frozen_of", AT(frozen), AT(frozen_of)},
};

static int64_t get(const struct dj_fleet_group *group, size_t offset)
{
    return *(const int64_t *)(const void *)((const char *)group + offset);
}

static size_t count_rows(const struct dj_fleet_result *result, size_t top)
{
    return top > 0 && top < result->count ? top : result->count;
}

static void write_key_json(struct dj_text *json, enum dj_fleet_key key, const char *value)
{
    const char *name = dj_fleet_key_get_name(key);
    int64_t number = 0;
    if (key == DJ_FLEET_REFRESH && dj_str_int(dj_str_of(value), &number)) {
        dj_json_add_int(json, name, number);
    } else {
        dj_json_add_name(json, name, value);
    }
}

static void write_row_json(struct dj_text *json, const struct dj_fleet_result *result,
                           const struct dj_fleet_group *group)
{
    dj_json_open_object(json, NULL);
    for (size_t i = 0; i < result->query.by_count; i++) {
        write_key_json(json, result->query.by[i], group->key[i]);
    }
    dj_json_add_int(json, "sessions", group->sessions);
    dj_json_add_int(json, "frames", group->frames);
    for (size_t i = 0; i < COUNT_OF(counters); i++) {
        int64_t of = get(group, counters[i].of);
        dj_json_add_optional(json, counters[i].name, of > 0,
                             get(group, counters[i].count));
        dj_json_add_int(json, counters[i].of_name, of);
    }
    dj_json_add_optional(json, "slow_sessions", group->slow_of > 0, group->slow_sessions);
    dj_json_add_optional(json, "frozen_sessions", group->frozen_of > 0,
                         group->frozen_sessions);
    for (size_t i = 0; i < PERCENTILES; i++) {
        dj_json_add_real(json, percentile_names[i],
                         dj_fleet_percentile_ms(group, percentiles[i]));
    }
    dj_json_close(json, "}");
}

void dj_fleet_write_result_json(struct dj_text *json,
                                const struct dj_fleet_result *result, size_t top)
{
    dj_json_open_document(json, "dejank.fleet/1");
    dj_fleet_write_scope_json(json, &result->state, result->is_provisional);
    dj_json_add_number(json, "slow_session_percent", result->query.limits.slow_pct);
    dj_json_add_number(json, "frozen_session_percent", result->query.limits.frozen_pct);
    dj_json_open_array(json, "by");
    for (size_t i = 0; i < result->query.by_count; i++) {
        dj_json_append_string(json, dj_fleet_key_get_name(result->query.by[i]));
    }
    dj_json_close(json, "]");
    dj_json_add_int(json, "groups", (int64_t)result->count);
    dj_json_open_array(json, "rows");
    for (size_t i = 0; i < count_rows(result, top); i++) {
        write_row_json(json, result, &result->groups[i]);
    }
    dj_json_close(json, "]}\n");
}

static void write_row_csv(struct dj_text *csv, const struct dj_fleet_result *result,
                          const struct dj_fleet_group *group)
{
    for (size_t i = 0; i < result->query.by_count; i++) {
        dj_csv_append_cell(csv, group->key[i], DJ_CSV_ONE_LINE);
        dj_text_add(csv, ",");
    }
    dj_text_format(csv, "%" PRId64 ",%" PRId64, group->sessions, group->frames);
    for (size_t i = 0; i < COUNT_OF(counters); i++) {
        dj_text_add(csv, ",");
        if (get(group, counters[i].of) > 0) {
            dj_text_append_int(csv, get(group, counters[i].count));
        }
    }
    dj_text_format(csv, ",%" PRId64 ",%" PRId64, group->slow_sessions,
                   group->frozen_sessions);
    for (size_t i = 0; i < PERCENTILES; i++) {
        double ms = dj_fleet_percentile_ms(group, percentiles[i]);
        dj_text_add(csv, ",");
        if (isfinite(ms)) {
            dj_text_format(csv, "%g", ms);
        }
    }
    dj_text_add(csv, "\n");
}

void dj_fleet_write_result_csv(struct dj_text *csv, const struct dj_fleet_result *result,
                               size_t top)
{
    for (size_t i = 0; i < result->query.by_count; i++) {
        dj_text_format(csv, "%s,", dj_fleet_key_get_name(result->query.by[i]));
    }
    dj_text_add(csv, "sessions,frames,janky,slow,frozen,slow_sessions,frozen_sessions,"
                     "p50_ms,p90_ms,p95_ms,p99_ms\n");
    for (size_t i = 0; i < count_rows(result, top); i++) {
        write_row_csv(csv, result, &result->groups[i]);
    }
}

/* A column of figures: label, unit, and the function that fills the cell. */
struct figure_column {
    const char *label, *unit;
    void (*set)(struct dj_cell *cell, const struct dj_fleet_group *group);
};

static void set_sessions(struct dj_cell *cell, const struct dj_fleet_group *group)
{
    dj_fleet_append_count(&cell->text, group->sessions);
}

static void set_frames(struct dj_cell *cell, const struct dj_fleet_group *group)
{
    dj_fleet_append_count(&cell->text, group->frames);
}

#define PERCENTILE(percent)                                                              \
    static void set_p##percent(struct dj_cell *cell, const struct dj_fleet_group *group) \
    {                                                                                    \
        dj_cell_set_number(cell, dj_fleet_percentile_ms(group, percent), 0);             \
    }
PERCENTILE(50)
PERCENTILE(90)
PERCENTILE(95)
PERCENTILE(99)
#undef PERCENTILE

#define SHARE(name)                                                                      \
    static void set_##name(struct dj_cell *cell, const struct dj_fleet_group *group)     \
    {                                                                                    \
        dj_cell_set_number(cell, dj_fleet_percent(group->name, group->name##_of), 2);    \
    }
SHARE(janky)
SHARE(slow)
SHARE(frozen)
#undef SHARE

static void set_slow_sessions(struct dj_cell *cell, const struct dj_fleet_group *group)
{
    int64_t of = group->slow_of > 0 ? group->sessions : 0;
    dj_cell_set_number(cell, dj_fleet_percent(group->slow_sessions, of), 2);
}

static void set_frozen_sessions(struct dj_cell *cell, const struct dj_fleet_group *group)
{
    int64_t of = group->frozen_of > 0 ? group->sessions : 0;
    dj_cell_set_number(cell, dj_fleet_percent(group->frozen_sessions, of), 2);
}

/* The first table fits on a terminal. The second one is a detail. */
static const struct figure_column main_columns[] = {
    {"sessions", NULL, set_sessions}, {"p50", "ms", set_p50},    {"p95", "ms", set_p95},
    {"p99", "ms", set_p99},           {"janky", "%", set_janky}, {"slow", "%", set_slow},
    {"frozen", "%", set_frozen},
};
static const struct figure_column detail_columns[] = {
    {"frames", NULL, set_frames},
    {"p90", "ms", set_p90},
    {"slow sessions", "%", set_slow_sessions},
    {"frozen sessions", "%", set_frozen_sessions},
};
enum { COLUMNS_MOST = DJ_FLEET_KEYS + COUNT_OF(main_columns) };

static void add_key(struct dj_document *document, const char *value)
{
    struct dj_cell *cell = dj_document_add_cell(document);
    bool is_known = value[0] != '\0';
    cell->tone = is_known ? DJ_TONE_PLAIN : DJ_TONE_MUTED;
    dj_cell_format(cell, "%s", is_known ? value : "unknown");
}

static void add_table(struct dj_document *document, const struct dj_fleet_result *result,
                      const struct figure_column *figures, size_t figure_count,
                      size_t rows)
{
    struct dj_table_column columns[COLUMNS_MOST];
    size_t by = result->query.by_count;
    for (size_t i = 0; i < by; i++) {
        bool is_rate = result->query.by[i] == DJ_FLEET_REFRESH;
        columns[i] =
            (struct dj_table_column){.label = dj_fleet_key_get_name(result->query.by[i]),
                                     .unit = is_rate ? "Hz" : NULL,
                                     .is_number = is_rate};
    }
    for (size_t i = 0; i < figure_count; i++) {
        columns[by + i] = (struct dj_table_column){
            .label = figures[i].label, .unit = figures[i].unit, .is_number = true};
    }
    dj_document_begin_table(document, columns, by + figure_count);
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < by; i++) {
            add_key(document, result->groups[row].key[i]);
        }
        for (size_t i = 0; i < figure_count; i++) {
            figures[i].set(dj_document_add_cell(document), &result->groups[row]);
        }
    }
}

void dj_fleet_add_main_table(struct dj_document *document,
                             const struct dj_fleet_result *result, size_t rows)
{
    add_table(document, result, main_columns, COUNT_OF(main_columns), rows);
}

static void add_notes(struct dj_document *document, const struct dj_fleet_result *result,
                      size_t shown)
{
    struct dj_text words = {0};
    dj_text_format(&words,
                   "Slow frames take longer than 16 ms, frozen ones longer than 700 ms. "
                   "A slow session has more than %g %% slow frames, and a frozen session "
                   "more than %g %% frozen frames.",
                   result->query.limits.slow_pct, result->query.limits.frozen_pct);
    dj_document_add_paragraph(document, &words);
    if (shown < result->count) {
        dj_text_format(&words, "%zu of %zu rows are shown. --top N selects how many.",
                       shown, result->count);
        dj_document_add_note(document, DJ_TONE_MUTED, &words);
    }
}

void dj_fleet_build_result(struct dj_document *document,
                           const struct dj_fleet_result *result, size_t top)
{
    int64_t sessions = 0;
    size_t shown = count_rows(result, top > 0 ? top : TERMINAL_ROWS);
    for (size_t i = 0; i < result->count; i++) {
        sessions += result->groups[i].sessions;
    }
    dj_document_set_title(document, "Fleet — dejank");
    dj_fleet_add_missing(document, &result->state);
    dj_fleet_add_scope(document, &result->state, sessions, result->is_provisional);
    dj_fleet_add_main_table(document, result, shown);
    add_notes(document, result, shown);
    dj_document_begin_details(document, "further figures", true);
    add_table(document, result, detail_columns, COUNT_OF(detail_columns), shown);
    dj_document_end_details(document);
}
