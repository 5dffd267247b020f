#include "history/describe.h"

#include <stdlib.h>
#include <string.h>

#include "history/sha256.h"
#include "memory/memory.h"

int dj_describe_project(struct dj_history *history, const char *name, int64_t *key,
                        struct dj_error *err)
{
    int code = dj_sql_run(history, err,
                          "INSERT INTO projects (name) VALUES (?) ON CONFLICT DO NOTHING",
                          "t", name);
    return code == 0 ? dj_sql_int(history, key, err,
                                  "SELECT id FROM projects WHERE name = ?", "t", name)
                     : code;
}

/* "" is as unknown as NULL. */
static const char *known(const char *text)
{
    return text != NULL && text[0] != '\0' ? text : NULL;
}

static int find_build(struct dj_history *history, int64_t project,
                      const struct dj_history_build *build, int64_t *key,
                      struct dj_error *err)
{
    const char *version = known(build->version);
    const char *commit = known(build->commit);
    const char *label = known(build->label);
    int code = dj_sql_run(history, err,
                          "INSERT INTO builds (project_id, version, commit_id, label)"
                          " VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                          "ittt", project, version, commit, label);
    return code == 0 ? dj_sql_int(history, key, err,
                                  "SELECT id FROM builds WHERE project_id = ?"
                                  " AND coalesce(version, '') = coalesce(?, '')"
                                  " AND coalesce(commit_id, '') = coalesce(?, '')"
                                  " AND coalesce(label, '') = coalesce(?, '')",
                                  "ittt", project, version, commit, label)
                     : code;
}

/* ---- devices ---- */

static int compare_facts(const void *a, const void *b)
{
    return strcmp(((const struct dj_fact *)a)->name, ((const struct dj_fact *)b)->name);
}

/* Of all that is known of it, facts in the order of their names. */
static void identify(const struct dj_history_device *device, const struct dj_fact *facts,
                     char identity[DJ_SHA256_HEX])
{
    struct dj_sha256 hash;
    dj_sha256_init(&hash);
    dj_sha256_add_text(&hash, device->serial);
    dj_sha256_add_text(&hash, device->kind);
    dj_sha256_add_text(&hash, device->model);
    dj_sha256_add_text(&hash, device->release);
    for (size_t i = 0; i < device->fact_count; i++) {
        dj_sha256_add_text(&hash, facts[i].name);
        dj_sha256_add_text(&hash, facts[i].value);
        dj_sha256_add_text(&hash, facts[i].unit);
    }
    dj_sha256_end(&hash, identity);
}

static int put_facts(struct dj_history *history, int64_t key, const struct dj_fact *facts,
                     size_t count, struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < count && code == 0; i++) {
        code =
            dj_sql_run(history, err,
                       "INSERT INTO device_facts (device_id, name, value, unit)"
                       " VALUES (?, ?, ?, ?)",
                       "ittt", key, facts[i].name, facts[i].value, known(facts[i].unit));
    }
    return code;
}

static int put_device(struct dj_history *history, const struct dj_history_device *device,
                      const struct dj_fact *facts, int64_t *key, struct dj_error *err)
{
    char identity[DJ_SHA256_HEX];
    identify(device, facts, identity);
    int code = dj_sql_int(history, key, err, "SELECT id FROM devices WHERE identity = ?",
                          "t", identity);
    if (code != 0 || *key != 0) {
        return code;
    }
    code = dj_sql_int(history, key, err,
                      "INSERT INTO devices (serial, kind, model, release, identity)"
                      " VALUES (?, ?, ?, ?, ?) RETURNING id",
                      "ttttt", device->serial, device->kind, known(device->model),
                      known(device->release), identity);
    return code == 0 ? put_facts(history, *key, facts, device->fact_count, err) : code;
}

static int find_device(struct dj_history *history, const struct dj_history_device *device,
                       int64_t *key, struct dj_error *err)
{
    struct dj_fact *facts = dj_xcalloc(device->fact_count, sizeof(*facts));
    if (device->fact_count > 0) {
        memcpy(facts, device->facts, device->fact_count * sizeof(*facts));
        qsort(facts, device->fact_count, sizeof(*facts), compare_facts);
    }
    int code = 0;
    for (size_t i = 1; i < device->fact_count && code == 0; i++) {
        if (strcmp(facts[i - 1].name, facts[i].name) == 0) {
            code = dj_error_set(err, DJ_E_USAGE, "the device has the fact '%s' twice",
                                facts[i].name);
        }
    }
    code = code == 0 ? put_device(history, device, facts, key, err) : code;
    free(facts);
    return code;
}

int dj_describe(struct dj_history *history, const struct dj_history_batch *batch,
                struct dj_described *keys, struct dj_error *err)
{
    int code = dj_describe_project(history, batch->project, &keys->project, err);
    code = code == 0
               ? find_build(history, keys->project, &batch->build, &keys->build, err)
               : code;
    return code == 0 ? find_device(history, &batch->device, &keys->device, err) : code;
}
