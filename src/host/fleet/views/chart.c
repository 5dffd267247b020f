#include <inttypes.h>
#include <string.h>

#include "fleet/session.h"
#include "fleet/views/views.h"
#include "memory/memory.h"

enum { LINES_MOST = 4, TICKS_MOST = 6 };

/* What a chart shows. */
struct figure {
    const char *title, *axis, *unit;
    double (*compute)(const struct dj_fleet_group *group);
    int digits;
};

static double compute_p95(const struct dj_fleet_group *group)
{
    return dj_fleet_percentile_ms(group, 95);
}

static double compute_slow(const struct dj_fleet_group *group)
{
    return dj_fleet_percent(group->slow, group->slow_of);
}

static const struct figure figures[] = {
    {"p95 frame time by day", "p95 frame time", "ms", compute_p95, 0},
    {"Slow frames by day", "slow frames", "%", compute_slow, 2},
};

/* The groups of a result are by version and day. */
enum { VERSION, DAY };

static int64_t get_day(const struct dj_fleet_group *group)
{
    int64_t day = 0;
    dj_session_parse_day(dj_str_of(group->key[DAY]), &day);
    return day;
}

static void add_point(struct dj_chart *chart, const struct figure *figure,
                      const struct dj_fleet_group *group, int64_t first_day)
{
    struct dj_text label = {0};
    double value = figure->compute(group);
    dj_text_append_escaped_name(&label, group->key[VERSION]);
    dj_text_format(&label, ", %s: %.*f %s, %" PRId64 " sessions", group->key[DAY],
                   figure->digits, value, figure->unit, group->sessions);
    dj_chart_add_point(chart, (double)(get_day(group) - first_day), value,
                       dj_xtext(&label));
    dj_text_finish(&label);
}

static void add_line(struct dj_chart *chart, const struct figure *figure,
                     const struct dj_fleet_result *by_day, const char *version,
                     enum dj_color_role role)
{
    struct dj_text name = {0};
    dj_text_append_escaped_name(&name, version[0] != '\0' ? version : "unknown");
    dj_chart_add_series(chart, dj_xtext(&name), DJ_MARK_LINE, role);
    dj_text_finish(&name);
    for (size_t i = 0; i < by_day->count; i++) {
        if (strcmp(by_day->groups[i].key[VERSION], version) == 0) {
            add_point(chart, figure, &by_day->groups[i], get_day(&by_day->groups[0]));
        }
    }
}

static void add_ticks(struct dj_chart *chart, int64_t first_day, int64_t last_day)
{
    int64_t step = (last_day - first_day) / TICKS_MOST + 1;
    for (int64_t day = first_day; day <= last_day; day += step) {
        struct dj_text name = {0};
        dj_session_append_day(&name, day);
        dj_chart_add_tick(chart, (double)(day - first_day), dj_xtext(&name));
        dj_text_finish(&name);
    }
}

/* Returns whether fewer than LINES_MOST versions have more sessions. */
static bool is_shown(const struct dj_fleet_result *versions, size_t index)
{
    size_t before = 0;
    for (size_t i = 0; i < versions->count; i++) {
        int64_t more = versions->groups[i].sessions - versions->groups[index].sessions;
        before += more > 0 || (more == 0 && i < index);
    }
    return before < LINES_MOST;
}

static void add_chart(struct dj_document *document, const struct figure *figure,
                      const struct dj_fleet_result *by_day,
                      const struct dj_fleet_result *versions)
{
    struct dj_chart *chart = dj_chart_create(figure->title);
    int role = DJ_ROLE_FIRST;
    dj_chart_set_x(chart, "day", "");
    dj_chart_set_y(chart, figure->axis, figure->unit, true);
    for (size_t i = 0; i < versions->count; i++) {
        if (is_shown(versions, i)) {
            add_line(chart, figure, by_day, versions->groups[i].key[0],
                     (enum dj_color_role)role++);
        }
    }
    add_ticks(chart, get_day(&by_day->groups[0]),
              get_day(&by_day->groups[by_day->count - 1]));
    dj_document_add_chart(document, chart);
}

void dj_fleet_add_version_charts(struct dj_document *document,
                                 const struct dj_fleet_result *by_day,
                                 const struct dj_fleet_result *versions)
{
    struct dj_text words = {0};
    if (by_day->count == 0) {
        return;
    }
    for (size_t i = 0; i < COUNT_OF(figures); i++) {
        add_chart(document, &figures[i], by_day, versions);
    }
    if (versions->count > LINES_MOST) {
        dj_text_format(&words, "The charts show the %d versions with the most sessions.",
                       LINES_MOST);
        dj_document_add_paragraph(document, &words);
    }
}
