#include <jansson.h>
#include <string.h>
#include <sys/random.h>

#include "history/batch.h"
#include "history/browse.h"
#include "history/describe.h"

/* ---- ids ---- */

/* No l, o, u or i: they are read as other characters. */
int dj_history_new_id(char id[DJ_HISTORY_ID], struct dj_error *err)
{
    static const char letters[] = "0123456789abcdefghjkmnpqrstvwxyz";
    unsigned char bytes[DJ_HISTORY_ID - 1];
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes)) {
        return dj_error_set(err, DJ_E_IO, "the system gives no random numbers");
    }
    for (size_t i = 0; i < sizeof(bytes); i++) {
        id[i] = letters[bytes[i] % 32];
    }
    id[sizeof(bytes)] = '\0';
    return 0;
}

/* ---- beginning ---- */

static int check_json(const char *what, const char *json, struct dj_error *err)
{
    json_t *root = json != NULL ? json_loads(json, JSON_DECODE_ANY, NULL) : NULL;
    json_decref(root);
    return json != NULL && root == NULL
               ? dj_error_set(err, DJ_E_USAGE, "the %s of a batch are no JSON", what)
               : 0;
}

int dj_batch_check(const struct dj_history_batch *batch, struct dj_error *err)
{
    if (batch->project == NULL || batch->name == NULL || batch->kind == NULL ||
        batch->device.serial == NULL || batch->device.kind == NULL) {
        return dj_error_set(err, DJ_E_USAGE,
                            "a batch needs project, name, kind, and a device's serial "
                            "and kind");
    }
    int code = check_json("options", batch->options, err);
    code = code == 0 ? check_json("objectives", batch->objectives, err) : code;
    return code == 0 ? check_json("order", batch->order, err) : code;
}

int dj_batch_insert(struct dj_history *history, const struct dj_history_batch *batch,
                    const char *id, int64_t *key, struct dj_error *err)
{
    struct dj_described keys;
    int code = dj_describe(history, batch, &keys, err);
    if (code != 0) {
        return code;
    }
    return dj_sql_int(
        history, key, err,
        "INSERT INTO batches (uid, project_id, build_id, device_id, name, kind,"
        " fingerprint, planned, options, objectives, group_uid, arm, run_order, repeats,"
        " dejank, began_unix_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " RETURNING id",
        "tiiitttkttttttti", id, keys.project, keys.build, keys.device, batch->name,
        batch->kind, batch->fingerprint, batch->planned, batch->options,
        batch->objectives, batch->group, batch->arm, batch->order, batch->repeats,
        DEJANK_VERSION, dj_sql_now_unix_ms());
}

/* A batch on its way in. */
struct beginning {
    const struct dj_history_batch *batch;
    const char *id;
    int64_t key;
};

static int insert_batch(struct dj_history *history, void *data, struct dj_error *err)
{
    struct beginning *beginning = data;
    return dj_batch_insert(history, beginning->batch, beginning->id, &beginning->key,
                           err);
}

static int find_batch(struct dj_history *history, void *data, bool *found,
                      struct dj_error *err)
{
    struct beginning *beginning = data;
    int code = dj_history_find_id(history, beginning->id, &beginning->key, err);
    *found = code == 0 && beginning->key != 0;
    return code;
}

int dj_history_begin(struct dj_history *history, const struct dj_history_batch *batch,
                     char id[DJ_HISTORY_ID], int64_t *key, struct dj_error *err)
{
    struct beginning beginning = {.batch = batch, .id = id};
    const struct dj_sql_work work = {insert_batch, find_batch, &beginning};
    int code = dj_batch_check(batch, err);
    code = code == 0 ? dj_history_new_id(id, err) : code;
    code = code == 0 ? dj_sql_write(history, &work, err) : code;
    *key = beginning.key;
    return code;
}

/* ---- going on ---- */

int dj_history_find(struct dj_history *history, const char *fingerprint, const char *arm,
                    char id[DJ_HISTORY_ID], int64_t *key, struct dj_error *err)
{
    struct dj_statement *statement;
    *key = 0;
    int code = dj_sql_prepare(
        history, &statement, err,
        "SELECT id, uid FROM batches WHERE fingerprint = ?1 AND excluded IS NULL"
        " AND (?2 IS NULL OR arm = ?2) ORDER BY began_unix_ms DESC, id DESC LIMIT 1",
        "tt", fingerprint, arm);
    while (dj_sql_next_row(statement, &code, err)) {
        *key = dj_sql_int64(statement, 0);
        snprintf(id, DJ_HISTORY_ID, "%s", dj_sql_word(statement, 1));
    }
    return code;
}
