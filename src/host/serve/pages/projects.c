/* Start page: all projects with their states, and the changes of the last week. */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "memory/memory.h"
#include "report/moment.h"
#include "serve/pages/page.h"
#include "serve/project_cache.h"
#include "store/overview.h"

static const int64_t DAY_MS = INT64_C(24) * 3600 * 1000;
/* Number of days without new data after which a project gets a note. */
enum { QUIET_DAYS = 2 };

static void get_name(struct dj_cell *cell, const void *record)
{
    const struct dj_project_state *project = record;
    dj_text_append_escaped_name(&cell->text, project->name);
    dj_serve_append_path(&cell->target, "projects", project->name);
}

static void get_state(struct dj_cell *cell, const void *record)
{
    const struct dj_project_state *project = record;
    if (project->state < DJ_TREND_STATES) {
        dj_cell_format(cell, "%s", dj_report_get_trend_state_name(project->state));
        cell->tone = dj_report_get_trend_state_tone(project->state);
        cell->is_label = cell->tone != DJ_TONE_MUTED;
    }
}

static void get_last(struct dj_cell *cell, const void *record)
{
    const struct dj_project_state *project = record;
    if (project->last_unix_ms == 0) {
        return;
    }
    char moment[DJ_MOMENT];
    int64_t days = ((int64_t)time(NULL) * 1000 - project->last_unix_ms) / DAY_MS;
    dj_report_moment(project->last_unix_ms, moment);
    dj_cell_format(cell, "%s", moment);
    if (days >= QUIET_DAYS) {
        dj_cell_format(cell, "; no data for %" PRId64 " days", days);
        cell->tone = DJ_TONE_WARNING;
    }
    if (project->last_batch != NULL) {
        dj_serve_append_path(&cell->target, "batches", project->last_batch);
    }
}

static void get_batches(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%" PRId64, ((const struct dj_project_state *)record)->batches);
}

/* Draws the values as a sparkline. */
static void get_trend(struct dj_cell *cell, const void *record)
{
    const struct dj_project_state *project = record;
    dj_cell_set_sparkline(cell, project->values, project->value_count);
}

static void get_metric(struct dj_cell *cell, const void *record)
{
    const struct dj_project_state *project = record;
    dj_cell_format(cell, "%s", project->metric != NULL ? project->metric : "");
}

static void get_change(struct dj_cell *cell, const void *record)
{
    const struct dj_project_state *project = record;
    dj_cell_format(cell, "%s", project->change != NULL ? project->change : "");
}

static const struct dj_table_column columns[] = {
    {"project", NULL, false, get_name},   {"state", NULL, false, get_state},
    {"change", NULL, false, get_change},  {"metric", NULL, false, get_metric},
    {"trend", NULL, false, get_trend},    {"newest data", NULL, false, get_last},
    {"batches", NULL, true, get_batches},
};

/* Columns of the table of projects while the states are not known yet. */
static const struct dj_table_column name_columns[] = {
    {"project", NULL, false, get_name},
    {"newest data", NULL, false, get_last},
    {"batches", NULL, true, get_batches},
};

static void add_verdict(struct dj_document *document, const struct dj_project_list *list)
{
    struct dj_text words = {0};
    size_t worse = 0;
    for (size_t i = 0; i < list->count; i++) {
        worse += list->projects[i].state == DJ_TREND_WORSE;
    }
    if (list->count == 0) {
        dj_text_add(&words, "The store has no projects yet");
    } else {
        dj_text_format(&words, "%zu of %zu project%s got worse", worse, list->count,
                       list->count == 1 ? "" : "s");
    }
    dj_document_add_verdict(document, worse > 0 ? DJ_TONE_BAD : DJ_TONE_PLAIN, &words);
}

static void add_changes(struct dj_document *document, const struct dj_project_list *list)
{
    struct dj_text words = {0};
    dj_document_add_heading(document, 2, "What changed this week");
    for (size_t i = 0; i < list->change_count && i < DJ_RECENT_CHANGES_MAX; i++) {
        const struct dj_recent_change *change = &list->changes[i];
        struct dj_text path = {0};
        dj_text_append_name(&words, "", change->project, ": ");
        dj_text_add(&words, change->text);
        if (change->older != NULL && change->newer != NULL) {
            dj_text_format(&path, "/compare/%s..%s", change->older, change->newer);
        } else {
            dj_serve_append_path(&path, "projects", change->project);
        }
        dj_serve_add_link(document, &path, &words);
    }
    if (list->change_count == 0) {
        dj_text_add(&words, "No change was found in the last seven days.");
        dj_document_add_paragraph(document, &words);
    }
}

static void add_help(struct dj_document *document)
{
    struct dj_text words = {0};
    dj_text_add(&words, "The page shows projects as soon as the store has one. These "
                        "commands store results:");
    dj_document_add_paragraph(document, &words);
    dj_document_add_command(document, "dejank run --package NAME --for 5s -n 10",
                            "measure an app");
    dj_document_add_command(document, "dejank import dump.txt", "import dumps");
    dj_document_add_command(document, "dejank import --history figures.csv",
                            "import the figures of another tool");
}

/* Adds a row for each project, sorted by importance of the state. */
static void add_projects(struct dj_document *document, const struct dj_project_list *list)
{
    dj_document_begin_table(document, columns, COUNT_OF(columns));
    for (unsigned state = 0; state <= DJ_TREND_STATES; state++) {
        for (size_t i = 0; i < list->count; i++) {
            if (list->projects[i].state == state) {
                dj_document_add_row(document, &list->projects[i]);
            }
        }
    }
}

static void build(void *user, const struct dj_project_list *list)
{
    struct dj_document *document = user;
    add_verdict(document, list);
    add_projects(document, list);
    if (list->count == 0) {
        add_help(document);
    } else if (list->is_whole) {
        add_changes(document, list);
    }
}

/* Adds a row with only the name of a project, while states are not known yet. */
static int add_name(void *user, const struct dj_project_row *row)
{
    const struct dj_project_state project = {.name = (char *)row->name,
                                             .batches = row->batches,
                                             .last_unix_ms = row->last_unix_ms,
                                             .last_batch = (char *)row->last_batch,
                                             .state = DJ_TREND_STATES};
    dj_document_add_row(user, &project);
    return 0;
}

static void check_whole(void *user, const struct dj_project_list *list)
{
    *(bool *)user = list->is_whole;
}

static int build_names(struct dj_call *call, struct dj_document *document,
                       struct dj_error *err)
{
    struct dj_text words = {0};
    dj_text_add(&words, "Searching for changes. The page shows them as soon as they are "
                        "known.");
    dj_document_add_paragraph(document, &words);
    dj_document_begin_table(document, name_columns, COUNT_OF(name_columns));
    return dj_store_read_projects(call->store, add_name, document, err);
}

int dj_serve_show_projects(struct dj_call *call, struct dj_error *err)
{
    struct dj_document document = {0};
    bool is_whole = false;
    int code = 0;
    dj_document_set_title(&document, "Projects");
    dj_serve_use_cache(call->server->cache, check_whole, &is_whole);
    if (is_whole || call->store == NULL) {
        dj_serve_use_cache(call->server->cache, build, &document);
    } else {
        code = build_names(call, &document, err);
    }
    if (code != 0) {
        dj_document_finish(&document);
        return code;
    }
    if (call->server->options.has_fleet) {
        dj_document_add_link(&document, "/fleet", "Fleet: the sessions of many users");
    }
    return dj_serve_reply_page(call, &document, true);
}

int dj_serve_show_health(struct dj_call *call, struct dj_error *err)
{
    (void)err;
    call->reply->type = DJ_TYPE_JSON;
    dj_text_format(&call->reply->body, "{\"status\":\"ok\",\"store\":%s}\n",
                   call->store != NULL ? "true" : "false");
    return 0;
}
