#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "memory/memory.h"
#include "store/batch.h"
#include "store/browse.h"
#include "store/sha256.h"

/* The letters i, l, o and u are left out, because they are easily confused with digits or
 * other letters. */
int dj_store_create_id(char id[DJ_STORE_ID_BYTES], struct dj_error *err)
{
    static const char letters[] = "0123456789abcdefghjkmnpqrstvwxyz";
    unsigned char bytes[DJ_STORE_ID_BYTES - 1];
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes)) {
        return dj_error_set(err, DJ_E_IO, "the system provides no random numbers");
    }
    for (size_t i = 0; i < sizeof(bytes); i++) {
        id[i] = letters[bytes[i] % 32];
    }
    id[sizeof(bytes)] = '\0';
    return 0;
}

/* The keys of a batch's project, build and device. */
struct batch_keys {
    int64_t project, build, device;
};

int dj_batch_find_or_insert_project(struct dj_store *store, const char *name,
                                    int64_t *key, struct dj_error *err)
{
    int code = dj_sql_run(store, err,
                          "INSERT INTO projects (name) VALUES (?) ON CONFLICT DO NOTHING",
                          "t", name);
    return code == 0 ? dj_sql_int(store, key, err,
                                  "SELECT id FROM projects WHERE name = ?", "t", name)
                     : code;
}

/* Returns NULL for "", because both mean unknown. */
static const char *get_known_text(const char *text)
{
    return text != NULL && text[0] != '\0' ? text : NULL;
}

static int find_or_insert_build(struct dj_store *store, int64_t project,
                                const struct dj_store_build *build, int64_t *key,
                                struct dj_error *err)
{
    const char *version = get_known_text(build->version);
    const char *commit = get_known_text(build->commit);
    const char *label = get_known_text(build->label);
    int code = dj_sql_run(store, err,
                          "INSERT INTO builds (project_id, version, commit_id, label)"
                          " VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                          "ittt", project, version, commit, label);
    return code == 0 ? dj_sql_int(store, key, err,
                                  "SELECT id FROM builds WHERE project_id = ?"
                                  " AND coalesce(version, '') = coalesce(?, '')"
                                  " AND coalesce(commit_id, '') = coalesce(?, '')"
                                  " AND coalesce(label, '') = coalesce(?, '')",
                                  "ittt", project, version, commit, label)
                     : code;
}

static int compare_facts(const void *a, const void *b)
{
    return strcmp(((const struct dj_fact *)a)->name, ((const struct dj_fact *)b)->name);
}

/* Computes a hash of all properties of the device. The facts must be sorted by name. */
static void compute_identity(const struct dj_store_device *device,
                             const struct dj_fact *facts,
                             char identity[DJ_SHA256_HEX_BYTES])
{
    struct dj_sha256 hash;
    dj_store_sha256_init(&hash);
    dj_store_sha256_add_text(&hash, device->serial);
    dj_store_sha256_add_text(&hash, device->kind);
    dj_store_sha256_add_text(&hash, device->model);
    dj_store_sha256_add_text(&hash, device->release);
    for (size_t i = 0; i < device->fact_count; i++) {
        dj_store_sha256_add_text(&hash, facts[i].name);
        dj_store_sha256_add_text(&hash, facts[i].value);
        dj_store_sha256_add_text(&hash, facts[i].unit);
    }
    dj_store_sha256_end(&hash, identity);
}

static int insert_facts(struct dj_store *store, int64_t key, const struct dj_fact *facts,
                        size_t count, struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < count && code == 0; i++) {
        code = dj_sql_run(store, err,
                          "INSERT INTO device_facts (device_id, name, value, unit)"
                          " VALUES (?, ?, ?, ?)",
                          "ittt", key, facts[i].name, facts[i].value,
                          get_known_text(facts[i].unit));
    }
    return code;
}

static int insert_device(struct dj_store *store, const struct dj_store_device *device,
                         const struct dj_fact *facts, int64_t *key, struct dj_error *err)
{
    char identity[DJ_SHA256_HEX_BYTES];
    compute_identity(device, facts, identity);
    int code = dj_sql_int(store, key, err, "SELECT id FROM devices WHERE identity = ?",
                          "t", identity);
    if (code != 0 || *key != 0) {
        return code;
    }
    code =
        dj_sql_int(store, key, err,
                   "INSERT INTO devices (serial, kind, model, release, identity)"
                   " VALUES (?, ?, ?, ?, ?) RETURNING id",
                   "ttttt", device->serial, device->kind, get_known_text(device->model),
                   get_known_text(device->release), identity);
    return code == 0 ? insert_facts(store, *key, facts, device->fact_count, err) : code;
}

static int find_or_insert_device(struct dj_store *store,
                                 const struct dj_store_device *device, int64_t *key,
                                 struct dj_error *err)
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
    code = code == 0 ? insert_device(store, device, facts, key, err) : code;
    free(facts);
    return code;
}

static int find_or_insert_keys(struct dj_store *store, const struct dj_store_batch *batch,
                               struct batch_keys *keys, struct dj_error *err)
{
    int code =
        dj_batch_find_or_insert_project(store, batch->project, &keys->project, err);
    code = code == 0 ? find_or_insert_build(store, keys->project, &batch->build,
                                            &keys->build, err)
                     : code;
    return code == 0 ? find_or_insert_device(store, &batch->device, &keys->device, err)
                     : code;
}

static int validate_json(const char *what, const char *json, struct dj_error *err)
{
    json_t *root = json != NULL ? json_loads(json, JSON_DECODE_ANY, NULL) : NULL;
    json_decref(root);
    return json != NULL && root == NULL
               ? dj_error_set(err, DJ_E_USAGE, "the %s of a batch are not JSON", what)
               : 0;
}

int dj_batch_check(const struct dj_store_batch *batch, struct dj_error *err)
{
    if (batch->project == NULL || batch->name == NULL || batch->kind == NULL ||
        batch->device.serial == NULL || batch->device.kind == NULL) {
        return dj_error_set(err, DJ_E_USAGE,
                            "a batch needs project, name, kind, and a device's serial "
                            "and kind");
    }
    int code = validate_json("options", batch->options, err);
    code = code == 0 ? validate_json("objectives", batch->objectives, err) : code;
    return code == 0 ? validate_json("order", batch->order, err) : code;
}

int dj_batch_insert(struct dj_store *store, const struct dj_store_batch *batch,
                    const char *id, int64_t *key, struct dj_error *err)
{
    struct batch_keys keys;
    int code = find_or_insert_keys(store, batch, &keys, err);
    if (code != 0) {
        return code;
    }
    return dj_sql_int(
        store, key, err,
        "INSERT INTO batches (uid, project_id, build_id, device_id, name, kind,"
        " fingerprint, planned, options, objectives, group_uid, arm, run_order, repeats,"
        " dejank, began_unix_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " RETURNING id",
        "tiiitttkttttttti", id, keys.project, keys.build, keys.device, batch->name,
        batch->kind, batch->fingerprint, batch->planned, batch->options,
        batch->objectives, batch->group, batch->arm, batch->order, batch->repeats,
        DEJANK_VERSION, dj_sql_now_unix_ms());
}

int dj_store_find_resumable(struct dj_store *store, const char *fingerprint,
                            const char *arm, char id[DJ_STORE_ID_BYTES], int64_t *key,
                            struct dj_error *err)
{
    struct dj_statement *statement;
    *key = 0;
    int code = dj_sql_prepare(
        store, &statement, err,
        "SELECT id, uid FROM batches WHERE fingerprint = ?1 AND excluded IS NULL"
        " AND (?2 IS NULL OR arm = ?2) ORDER BY began_unix_ms DESC, id DESC LIMIT 1",
        "tt", fingerprint, arm);
    while (dj_sql_next_row(statement, &code, err)) {
        *key = dj_sql_int64(statement, 0);
        snprintf(id, DJ_STORE_ID_BYTES, "%s", dj_sql_word(statement, 1));
    }
    return code;
}
