/* Which batches belong together: of one project, flow, device and configuration. */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "judge/stored_facts.h"
#include "judge/trend_reading.h"

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

struct facts {
    struct dj_fact fact[64];
    size_t count;
    struct dj_trend *trend;
    struct dj_error *err;
};

static int take_fact(void *user, const struct dj_fact *fact)
{
    struct facts *facts = user;
    int code = 0;
    if (facts->count < ROWS(facts->fact)) {
        struct dj_fact *kept = &facts->fact[facts->count++];
        code = dj_trend_keep(facts->trend, fact->name, &kept->name, facts->err);
        code = code == 0
                   ? dj_trend_keep(facts->trend, fact->value, &kept->value, facts->err)
                   : code;
        code = code == 0
                   ? dj_trend_keep(facts->trend, fact->unit, &kept->unit, facts->err)
                   : code;
    }
    return code;
}

/* While batches are being read no other statement may run: facts come after. */
static int read_facts(struct dj_trend_reading *reading, struct dj_trend_group *group)
{
    struct facts facts = {.trend = reading->trend, .err = reading->err};
    int code = dj_history_each_fact(reading->history, group->device_key, take_fact,
                                    &facts, reading->err);
    const struct dj_loaded_batch batch = {
        .batch = {.serial = group->head.serial,
                  .model = group->head.model,
                  .release = group->head.release},
        .facts = facts.fact,
        .fact_count = facts.count,
    };
    if (code == 0) {
        dj_stored_facts(&batch, &group->facts);
    }
    return code;
}

static bool is_unknown(const struct dj_device_class *class,
                       const struct dj_device_facts *facts)
{
    for (size_t i = 0; i < class->need_count; i++) {
        if (isnan(dj_class_fact_of(facts, class->needs[i].fact))) {
            return true;
        }
    }
    return false;
}

/* The one before it that is of the same device; NULL: there is none. */
static const struct dj_trend_group *known_device(const struct dj_trend_reading *reading,
                                                 size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (reading->groups[i].device_key == reading->groups[index].device_key) {
            return &reading->groups[i];
        }
    }
    return NULL;
}

int dj_trend_judge_devices(struct dj_trend_reading *reading)
{
    const struct dj_device_class *class = reading->query->class;
    int code = 0;
    for (size_t i = 0; i < reading->group_count && code == 0; i++) {
        struct dj_trend_group *group = &reading->groups[i];
        const struct dj_trend_group *known = known_device(reading, i);
        if (known != NULL) {
            group->facts = known->facts;
        } else {
            code = read_facts(reading, group);
        }
        if (code == 0 && class != NULL) {
            group->out = !dj_device_class_holds(class, &group->facts);
            reading->trend->unclassed += group->out && is_unknown(class, &group->facts);
        }
    }
    return code;
}

static bool same(const char *a, const char *b)
{
    return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

static int keep_head(struct dj_trend_reading *reading,
                     const struct dj_timeline_batch *batch, const char *flow,
                     const char *config, struct dj_trend_group *group)
{
    struct dj_trend_segment *head = &group->head;
    const struct {
        const char *text;
        const char **kept;
    } texts[] = {{batch->project, &head->project}, {flow, &head->flow},
                 {batch->serial, &head->serial},   {batch->model, &head->model},
                 {batch->release, &head->release}, {config, &head->config}};
    int code = 0;
    for (size_t i = 0; i < ROWS(texts) && code == 0; i++) {
        code = dj_trend_keep(reading->trend, texts[i].text, texts[i].kept, reading->err);
    }
    head->device_key = group->device_key = batch->device_key;
    dj_trend_name_segment(head, batch->device);
    return code;
}

int dj_trend_find_group(struct dj_trend_reading *reading,
                        const struct dj_timeline_batch *batch, size_t *index)
{
    struct dj_text config = {0};
    /* The name of what was imported is its label, where nobody gave it one: no flow. */
    bool unnamed =
        strcmp(batch->kind, "import") == 0 &&
        (same(batch->flow, batch->label) || strcmp(batch->flow, "import") == 0);
    const char *flow = unnamed ? "" : batch->flow;
    dj_trend_config(&config, batch->options);
    int code = config.failed ? dj_trend_no_memory(reading->err) : 0;
    for (size_t i = 0; i <= reading->group_count && code == 0; i++) {
        /* The group found last is looked at first. */
        size_t at = i == 0 ? reading->last_group : i - 1;
        if (at < reading->group_count &&
            reading->groups[at].device_key == batch->device_key &&
            strcmp(reading->groups[at].head.flow, flow) == 0 &&
            strcmp(reading->groups[at].head.project, batch->project) == 0 &&
            strcmp(reading->groups[at].head.config, dj_text_get(&config)) == 0) {
            *index = reading->last_group = at;
            dj_text_finish(&config);
            return 0;
        }
    }
    if (code == 0 && reading->group_count == reading->group_capacity) {
        size_t more = reading->group_capacity == 0 ? 16 : reading->group_capacity * 2;
        void *groups = dj_array_resize(reading->groups, more, sizeof(*reading->groups));
        code = groups != NULL ? 0 : dj_trend_no_memory(reading->err);
        if (groups != NULL) {
            reading->groups = groups;
            reading->group_capacity = more;
        }
    }
    if (code == 0) {
        struct dj_trend_group *group = &reading->groups[reading->group_count];
        memset(group, 0, sizeof(*group));
        code = keep_head(reading, batch, flow, dj_text_get(&config), group);
        *index = reading->last_group = reading->group_count;
        reading->group_count += code == 0;
    }
    dj_text_finish(&config);
    return code;
}
