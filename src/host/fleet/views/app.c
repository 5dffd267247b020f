#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "fleet/commands/commands.h"
#include "fleet/views/views.h"
#include "memory/memory.h"
#include "report/served_page.h"

enum {
    DEVICES_SHOWN = 20,
    SESSIONS_LEAST = 10, /* A device needs this many to be among the worst. */
    VERSIONS_SHOWN = 50
};

/* The answers that the page shows. */
struct app_view {
    struct dj_fleet_result by_day, versions, devices;
};

static int ask(struct dj_cluster *cluster, const struct dj_fleet_request *request,
               const char *keys, struct dj_fleet_result *result, struct dj_error *err)
{
    struct dj_fleet_query query;
    struct dj_fleet_request asked = *request;
    asked.by = keys;
    int code = dj_fleet_read_query(&asked, &query, err);
    return code == 0 ? dj_fleet_query_shards(cluster, &query, result, err) : code;
}

static double compute_slow(const struct dj_fleet_group *group)
{
    double percent = dj_fleet_percent(group->slow, group->slow_of);
    return isnan(percent) ? -1 : percent;
}

/* The largest share of slow frames first. */
static int compare_slow(const void *a, const void *b)
{
    double one = compute_slow(a), other = compute_slow(b);
    return (one < other) - (one > other);
}

/* Moves the devices with enough sessions to the front, the worst first. Returns their
 * number, or that of all devices if none has enough. */
static size_t sort_devices(struct dj_fleet_result *devices)
{
    size_t kept = 0;
    for (size_t i = 0; i < devices->count; i++) {
        if (devices->groups[i].sessions >= SESSIONS_LEAST) {
            struct dj_fleet_group group = devices->groups[kept];
            devices->groups[kept++] = devices->groups[i];
            devices->groups[i] = group;
        }
    }
    kept = kept > 0 ? kept : devices->count;
    if (kept > 1) {
        qsort(devices->groups, kept, sizeof(*devices->groups), compare_slow);
    }
    return kept;
}

static void add_devices(struct dj_document *document, struct dj_fleet_result *devices)
{
    struct dj_text words = {0};
    size_t kept = sort_devices(devices);
    size_t shown = kept < DEVICES_SHOWN ? kept : DEVICES_SHOWN;
    dj_document_add_heading(document, 2, "Worst devices");
    dj_text_format(&words, "The largest share of slow frames first: %zu of %zu devices",
                   shown, devices->count);
    if (kept < devices->count) {
        dj_text_format(&words, ". %zu devices with fewer than %d sessions are left out",
                       devices->count - kept, SESSIONS_LEAST);
    }
    dj_text_add(&words, ".");
    dj_document_add_paragraph(document, &words);
    dj_fleet_add_main_table(document, devices, shown);
}

/* Links the first cell of each row of the last table to the path with the cell's key. */
static void link_rows(struct dj_document *document, const struct dj_fleet_result *result,
                      const char *path)
{
    struct dj_table *table = &document->blocks[document->block_count - 1].table;
    for (size_t i = 0; i * table->column_count < table->cell_count; i++) {
        struct dj_text *target = &table->cells[i * table->column_count].target;
        if (result->groups[i].key[0][0] != '\0') {
            dj_text_add(target, path);
            dj_report_append_encoded(target, result->groups[i].key[0]);
        }
    }
}

static void add_versions(struct dj_document *document,
                         const struct dj_fleet_result *versions, const char *app)
{
    struct dj_text path = {0}, words = {0};
    size_t shown = versions->count < VERSIONS_SHOWN ? versions->count : VERSIONS_SHOWN;
    dj_document_add_heading(document, 2, "Versions");
    if (shown < versions->count) {
        dj_text_format(&words, "The %zu newest of %zu versions.", shown, versions->count);
        dj_document_add_paragraph(document, &words);
    }
    dj_fleet_add_main_table(document, versions, shown);
    dj_text_add(&path, "/fleet?by=device&app=");
    dj_report_append_encoded(&path, app);
    dj_text_add(&path, "&version=");
    link_rows(document, versions, dj_xtext(&path));
    dj_text_finish(&path);
}

/* Adds the form that chooses two versions. The newest two are chosen at first. */
static void add_form(struct dj_document *document, const struct dj_fleet_result *versions,
                     const char *app)
{
    struct dj_text action = {0}, choices = {0};
    for (size_t i = 0; i < versions->count; i++) {
        const char *name = versions->groups[i].key[0];
        if (name[0] != '\0') {
            dj_text_format(&choices, "%s\n", name);
        }
    }
    dj_text_add(&action, "/fleet/");
    dj_report_append_encoded(&action, app);
    dj_text_add(&action, "/compare");
    struct dj_web_field fields[] = {{.name = "from",
                                     .label = "from version",
                                     .value = versions->groups[1].key[0],
                                     .choices = dj_xtext(&choices)},
                                    {.name = "to",
                                     .label = "to version",
                                     .value = versions->groups[0].key[0],
                                     .choices = dj_xtext(&choices)}};
    dj_document_add_heading(document, 2, "Compare two versions");
    dj_document_add_form(document,
                         &(struct dj_web_form){.action = dj_xtext(&action),
                                               .submit = "Compare",
                                               .fields = fields,
                                               .field_count = COUNT_OF(fields)});
    dj_text_finish(&action);
    dj_text_finish(&choices);
}

static void build(struct dj_document *document, struct app_view *view, const char *app)
{
    const struct dj_fleet_result *versions = &view->versions;
    struct dj_text words = {0};
    int64_t sessions = 0;
    for (size_t i = 0; i < versions->count; i++) {
        sessions += versions->groups[i].sessions;
    }
    dj_text_append_escaped_name(&words, app);
    dj_document_set_title(document, dj_xtext(&words));
    dj_text_finish(&words);
    dj_fleet_add_missing(document, &view->by_day.state);
    dj_fleet_add_scope(document, &view->by_day.state, sessions,
                       view->by_day.is_provisional);
    if (sessions == 0) {
        dj_text_add(&words, "The fleet has no such sessions.");
        dj_document_add_paragraph(document, &words);
        return;
    }
    dj_fleet_add_version_charts(document, &view->by_day, versions);
    add_versions(document, versions, app);
    if (versions->count > 1) {
        add_form(document, versions, app);
    }
    add_devices(document, &view->devices);
}

int dj_fleet_build_app(const struct dj_fleet_request *request,
                       struct dj_document *document, struct dj_error *err)
{
    struct app_view view = {0};
    struct dj_cluster cluster;
    int code = dj_fleet_cluster_open(&cluster, &request->place, err);
    if (code == 0) {
        code = ask(&cluster, request, "version,day", &view.by_day, err);
    }
    if (code == 0) {
        code = ask(&cluster, request, "device", &view.devices, err);
    }
    /* A shard that failed between the questions is missing in the page. */
    if (view.devices.state.answering < view.by_day.state.answering) {
        view.by_day.state.answering = view.devices.state.answering;
    }
    if (code == 0) {
        dj_fleet_sum_versions(&view.by_day, &view.versions);
        build(document, &view, request->app);
    }
    dj_fleet_result_finish(&view.by_day);
    dj_fleet_result_finish(&view.devices);
    dj_fleet_result_finish(&view.versions);
    dj_fleet_cluster_close(&cluster);
    return code;
}
