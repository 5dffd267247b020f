/* Finds the groups of batches that belong together: those of one project, flow, device
 * and configuration. Reads no figures, so that a trend can later be read part by part
 * with little memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/hash.h"
#include "base/optional_text.h"
#include "memory/memory.h"
#include "trend/reading.h"
#include "trend/segment.h"

struct dj_trend_group *dj_trend_add_group(struct dj_trend_outline *outline)
{
    DJ_XPUSH(outline->groups, outline->group_count,
             (struct dj_trend_group){.head = {.unit = ""}});
    return &outline->groups[outline->group_count - 1];
}

struct dj_timeline_filter dj_trend_get_filter(const struct dj_trend_query *query)
{
    return (struct dj_timeline_filter){.project = query->project,
                                       .flow = query->flow,
                                       .serial = query->serial,
                                       .since_unix_ms = query->since_unix_ms};
}

static bool is_name(const char *name, const char *build)
{
    return name != NULL && strcmp(name, build) == 0;
}

bool dj_trend_requests_build(const struct dj_trend_query *query, const char *version,
                             const char *label, const char *commit)
{
    const char *build = query->build;
    return build == NULL || is_name(version, build) || is_name(label, build) ||
           is_name(commit, build);
}

static int read_fact(void *facts, const struct dj_fact *fact)
{
    dj_facts_set(facts, fact);
    return 0;
}

static int read_facts(struct dj_trend_outline *outline, struct dj_trend_group *group)
{
    dj_facts_init(&group->facts);
    int code = dj_store_read_facts(outline->store, group->head.device_key, read_fact,
                                   &group->facts, outline->err);
    dj_facts_set_system(&group->facts, group->head.model, group->head.release);
    return code;
}

static bool is_unknown(const struct dj_device_class *class,
                       const struct dj_device_facts *facts)
{
    for (size_t i = 0; i < class->need_count; i++) {
        if (isnan(dj_facts_class_value(facts, class->needs[i].fact))) {
            return true;
        }
    }
    return false;
}

/* Returns an earlier group of the same device, or NULL if there is none. */
static const struct dj_trend_group *
find_known_device(const struct dj_trend_outline *outline, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (outline->groups[i].head.device_key ==
            outline->groups[index].head.device_key) {
            return &outline->groups[i];
        }
    }
    return NULL;
}

/* Marks the groups of devices that do not belong to the requested class. */
static int exclude_devices(struct dj_trend_outline *outline)
{
    const struct dj_device_class *class = outline->query->class;
    int code = 0;
    for (size_t i = 0; i < outline->group_count && code == 0; i++) {
        struct dj_trend_group *group = &outline->groups[i];
        const struct dj_trend_group *known = find_known_device(outline, i);
        if (known != NULL) {
            group->facts = known->facts;
        } else {
            code = read_facts(outline, group);
        }
        if (code == 0 && class != NULL) {
            group->excluded = !dj_facts_class_matches(class, &group->facts);
            outline->unclassed += group->excluded && is_unknown(class, &group->facts);
        }
    }
    return code;
}

static void add_group(struct dj_trend_outline *outline,
                      const struct dj_timeline_batch *batch, const char *flow,
                      const char *config)
{
    struct dj_trend_group *group = dj_trend_add_group(outline);
    struct dj_trend_segment *head = &group->head;
    head->project = dj_memory_strings_add(&outline->names, batch->project);
    head->flow = dj_memory_strings_add(&outline->names, flow);
    head->serial = dj_memory_strings_add(&outline->names, batch->serial);
    head->model = dj_memory_strings_add(&outline->names, batch->model);
    head->release = dj_memory_strings_add(&outline->names, batch->release);
    head->config = dj_memory_strings_add(&outline->names, config);
    head->device_key = batch->device_key;
    dj_trend_set_segment_key(head, batch->device);
}

static uint64_t compute_hash(int64_t device, const char *const texts[3])
{
    uint64_t hash = DJ_HASH_FNV ^ (uint64_t)device;
    for (size_t i = 0; i < 3; i++) {
        hash = dj_hash_fnv(hash, texts[i], strlen(texts[i]) + 1);
    }
    return hash;
}

static bool is_group(const struct dj_trend_group *group, int64_t device,
                     const char *const texts[3])
{
    return group->head.device_key == device &&
           strcmp(group->head.project, texts[0]) == 0 &&
           strcmp(group->head.flow, texts[1]) == 0 &&
           strcmp(group->head.config, texts[2]) == 0;
}

/* Returns the index of the batch's group. Adds the group if it does not exist. */
static size_t find_group(struct dj_trend_outline *outline,
                         const struct dj_timeline_batch *batch, const char *config)
{
    /* A batch imported without a name has its label as its name. Such a name is no
     * flow. */
    bool unnamed = strcmp(batch->kind, "import") == 0 &&
                   (strcmp(batch->flow, dj_optional_text_or_empty(batch->label)) == 0 ||
                    strcmp(batch->flow, "import") == 0);
    const char *flow = unnamed ? "" : batch->flow;
    const char *const texts[] = {batch->project, flow, config};
    uint64_t hash = compute_hash(batch->device_key, texts);
    size_t at, found = dj_map_first(&outline->by_hash, hash, &at);
    while (found != DJ_MAP_NONE &&
           !is_group(&outline->groups[found], batch->device_key, texts)) {
        found = dj_map_next(&outline->by_hash, hash, &at);
    }
    if (found == DJ_MAP_NONE) {
        found = outline->group_count;
        dj_xcheck(dj_map_add(&outline->by_hash, hash, found));
        add_group(outline, batch, flow, config);
    }
    return found;
}

/* Sets the configuration of a batch from its options. Consecutive batches usually have
 * the same options, so the configuration of the previous batch is kept if possible. */
static void set_config(struct dj_trend_outline *outline, const char *options)
{
    const char *known = dj_xtext(&outline->options);
    if (options == NULL || options[0] == '\0' || strcmp(options, known) != 0) {
        dj_text_clear(&outline->options);
        dj_text_clear(&outline->config);
        dj_text_add(&outline->options, dj_optional_text_or_empty(options));
        dj_trend_format_config(&outline->config, options);
    }
}

static int add_batch(void *user, const struct dj_timeline_batch *batch)
{
    struct dj_trend_outline *outline = user;
    if (!dj_trend_requests_build(outline->query, batch->version, batch->label,
                                 batch->commit)) {
        return 0;
    }
    set_config(outline, batch->options);
    size_t group = find_group(outline, batch, dj_xtext(&outline->config));
    DJ_XPUSH(outline->batch_refs, outline->batch_ref_count,
             (struct dj_trend_batch_ref){batch->key, group});
    outline->groups[group].weight++;
    return 0;
}

static int find_groups(struct dj_trend_outline *outline)
{
    struct dj_timeline_filter filter = dj_trend_get_filter(outline->query);
    filter.any_order = true;
    int code = dj_store_read_timeline_batches(outline->store, &filter, add_batch, outline,
                                              outline->err);
    return code == 0 ? exclude_devices(outline) : code;
}

static int compare_batch_refs(const void *left, const void *right)
{
    const struct dj_trend_batch_ref *a = left;
    const struct dj_trend_batch_ref *b = right;
    return a->group != b->group ? DJ_COMPARE(a->group, b->group)
                                : DJ_COMPARE(a->key, b->key);
}

static int compare_groups(const void *left, const void *right)
{
    const struct dj_trend_group *a = left;
    const struct dj_trend_group *b = right;
    return dj_trend_compare_segments(&a->head, &b->head);
}

/* Removes the groups outside the class and sorts the others. Updates the group indexes of
 * the batches. */
static void sort_groups(struct dj_trend_outline *outline)
{
    size_t *moved = dj_xcalloc(outline->group_count, sizeof(*moved));
    size_t groups = 0;
    size_t batch_refs = 0;
    for (size_t i = 0; i < outline->group_count; i++) {
        if (!outline->groups[i].excluded) {
            outline->groups[groups] = outline->groups[i];
            /* For now, `first` is the index of the group before sorting. */
            outline->groups[groups++].first = i;
        }
    }
    outline->group_count = groups;
    if (groups > 0) {
        qsort(outline->groups, groups, sizeof(*outline->groups), compare_groups);
    }
    for (size_t i = 0; i < groups; i++) {
        moved[outline->groups[i].first] = i + 1;
    }
    for (size_t i = 0; i < outline->batch_ref_count; i++) {
        struct dj_trend_batch_ref batch_ref = outline->batch_refs[i];
        if (moved[batch_ref.group] > 0) {
            batch_ref.group = moved[batch_ref.group] - 1;
            outline->batch_refs[batch_refs++] = batch_ref;
        }
    }
    outline->batch_ref_count = batch_refs;
    if (batch_refs > 0) {
        qsort(outline->batch_refs, batch_refs, sizeof(*outline->batch_refs),
              compare_batch_refs);
    }
    free(moved);
}

static void set_group_ranges(struct dj_trend_outline *outline)
{
    for (size_t i = 0; i < outline->group_count; i++) {
        outline->groups[i].first = outline->groups[i].count = 0;
    }
    for (size_t i = outline->batch_ref_count; i > 0; i--) {
        struct dj_trend_group *group = &outline->groups[outline->batch_refs[i - 1].group];
        group->first = i - 1;
        group->count++;
    }
}

int dj_trend_outline_read(struct dj_trend_outline *outline, struct dj_error *err)
{
    outline->err = err;
    int code = find_groups(outline);
    if (code == 0) {
        code = dj_trend_find_series(outline);
    }
    if (code == 0) {
        sort_groups(outline);
        set_group_ranges(outline);
    }
    return code;
}

void dj_trend_outline_finish(struct dj_trend_outline *outline)
{
    dj_memory_strings_finish(&outline->names);
    dj_trend_git_close(outline->git);
    free(outline->groups);
    free(outline->batch_refs);
    dj_map_finish(&outline->by_hash);
    dj_text_finish(&outline->options);
    dj_text_finish(&outline->config);
    *outline = (struct dj_trend_outline){0};
}
