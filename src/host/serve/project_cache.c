#include "serve/project_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "memory/memory.h"
#include "store/browse.h"
#include "store/overview.h"

static const int64_t WEEK_MS = INT64_C(7) * 24 * 3600 * 1000;

struct dj_project_cache {
    pthread_mutex_t lock;
    struct dj_project_list list;
};

static void finish_list(struct dj_project_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->projects[i].name);
        free(list->projects[i].last_batch);
        free(list->projects[i].change);
        free(list->projects[i].metric);
    }
    for (size_t i = 0; i < list->change_count; i++) {
        free(list->changes[i].project);
        free(list->changes[i].text);
        free(list->changes[i].older);
        free(list->changes[i].newer);
    }
    free(list->projects);
    free(list->changes);
    *list = (struct dj_project_list){0};
}

static int add_project(void *user, const struct dj_project_row *row)
{
    struct dj_project_list *list = user;
    DJ_XPUSH(list->projects, list->count,
             (struct dj_project_state){.name = dj_xstrdup(row->name),
                                       .batches = row->batches,
                                       .last_batch = dj_xstrdup(row->last_batch),
                                       .last_unix_ms = row->last_unix_ms,
                                       .state = DJ_TREND_STATES});
    return 0;
}

static int compare_names(const void *name, const void *project)
{
    return strcmp(name, ((const struct dj_project_state *)project)->name);
}

static struct dj_project_state *find_project(const struct dj_project_list *list,
                                             const char *name)
{
    return list->count > 0 ? bsearch(name, list->projects, list->count,
                                     sizeof(*list->projects), compare_names)
                           : NULL;
}

static void set_state(struct dj_project_state *project,
                      const struct dj_trend_segment *segment,
                      const struct dj_trend_change *change, enum dj_trend_state state)
{
    struct dj_text text = {0};
    size_t count = segment->point_count;
    size_t first = count > DJ_PROJECT_VALUES_MAX ? count - DJ_PROJECT_VALUES_MAX : 0;
    project->state = state;
    free(project->change);
    free(project->metric);
    dj_text_append_escaped_name(&text, segment->words);
    project->metric = dj_xtext_detach(&text);
    project->change = NULL;
    if (change != NULL) {
        dj_report_describe_trend_change(&text, segment, change);
        project->change = dj_xtext_detach(&text);
    }
    project->value_count = count - first;
    for (size_t i = first; i < count; i++) {
        project->values[i - first] = segment->points[i].value;
    }
}

static void add_recent(struct dj_project_list *list,
                       const struct dj_trend_segment *segment,
                       const struct dj_trend_change *change)
{
    const struct dj_trend_point *point = &segment->points[change->index];
    struct dj_text text = {0};
    dj_text_append_name(&text, "", segment->words, "");
    dj_text_append_name(&text, ", ", segment->flow, "");
    dj_text_append_name(&text, ", ", segment->model, "");
    dj_text_add(&text, ": ");
    dj_report_describe_trend_change(&text, segment, change);
    DJ_XPUSH(list->changes, list->change_count,
             (struct dj_recent_change){
                 .project = dj_xstrdup(segment->project),
                 .text = dj_xtext_detach(&text),
                 .older = dj_xstrdup(point[-1].id),
                 .newer = dj_xstrdup(point->id),
                 .at_unix_ms = point->at_unix_ms,
                 .state = dj_report_get_trend_state(segment, change),
             });
}

static int add_part(void *user, const struct dj_trend *part)
{
    struct dj_project_list *list = user;
    int64_t since_ms = (int64_t)time(NULL) * 1000 - WEEK_MS;
    for (size_t i = 0; i < part->segment_count; i++) {
        const struct dj_trend_segment *segment = &part->segments[i];
        struct dj_project_state *project = find_project(list, segment->project);
        int64_t newest_ms = segment->points[segment->point_count - 1].at_unix_ms;
        if (project != NULL && newest_ms > project->last_unix_ms) {
            project->last_unix_ms = newest_ms; /* Imported points belong to no batch. */
        }
        enum dj_trend_state state;
        const struct dj_trend_change *change =
            dj_report_choose_trend_change(segment, &state);
        if (project != NULL && state < project->state) {
            set_state(project, segment, change, state);
        }
        for (size_t k = 0; k < segment->change_count; k++) {
            const struct dj_trend_change *one = &segment->changes[k];
            if (segment->points[one->index].at_unix_ms >= since_ms) {
                add_recent(list, segment, one);
            }
        }
    }
    return 0;
}

static int compare_times(const void *a, const void *b)
{
    int64_t one = ((const struct dj_recent_change *)a)->at_unix_ms;
    int64_t other = ((const struct dj_recent_change *)b)->at_unix_ms;
    return (other > one) - (other < one);
}

struct dj_project_cache *dj_serve_create_cache(void)
{
    struct dj_project_cache *cache = dj_xcalloc(1, sizeof(*cache));
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

void dj_serve_free_cache(struct dj_project_cache *cache)
{
    if (cache != NULL) {
        finish_list(&cache->list);
        pthread_mutex_destroy(&cache->lock);
        free(cache);
    }
}

/* Reads the list of projects. Returns whether that succeeded. */
static bool read_list(struct dj_project_list *list, struct dj_store *store)
{
    struct dj_trend_query query = {.repository = NULL};
    struct dj_trend_totals totals;
    int code = dj_store_read_projects(store, add_project, list, NULL);
    code = code == 0 ? dj_trend_read_parts(store, &query, add_part, list, &totals, NULL)
                     : code;
    if (list->change_count > 0) {
        qsort(list->changes, list->change_count, sizeof(*list->changes), compare_times);
    }
    list->is_whole = code == 0;
    return code == 0;
}

void dj_serve_fill_cache(struct dj_project_cache *cache, struct dj_store *store)
{
    struct dj_project_list list = {0};
    if (read_list(&list, store)) {
        pthread_mutex_lock(&cache->lock);
        struct dj_project_list old = cache->list;
        cache->list = list;
        pthread_mutex_unlock(&cache->lock);
        list = old;
    }
    finish_list(&list);
}

void dj_serve_use_cache(struct dj_project_cache *cache,
                        void (*use)(void *user, const struct dj_project_list *list),
                        void *user)
{
    pthread_mutex_lock(&cache->lock);
    use(user, &cache->list);
    pthread_mutex_unlock(&cache->lock);
}
