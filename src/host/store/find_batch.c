#include <string.h>

#include "memory/memory.h"
#include "store/browse.h"
#include "store/sql/statement.h"

/* Minimum number of characters of an abbreviated id, and maximum number of ids that a
 * message lists. */
enum { ID_PREFIX_MIN = 4, NAMED_MAX = 3 };

/* Counts the batches whose ids begin with `word`. Stores the key of one of them in
 * *key. */
static int count_prefix(struct dj_store *store, const char *word, int64_t *count,
                        int64_t *key, struct dj_error *err)
{
    struct dj_statement *statement;
    int code = dj_sql_prepare(store, &statement, err,
                              "SELECT count(*), min(id) FROM batches"
                              " WHERE substr(uid, 1, length(?1)) = ?1",
                              "t", word);
    while (dj_sql_next_row(statement, &code, err)) {
        *count = dj_sql_int64(statement, 0);
        *key = dj_sql_int64(statement, 1);
    }
    return code;
}

static int report_ambiguous(struct dj_store *store, const char *word, int64_t count,
                            struct dj_error *err)
{
    struct dj_text ids = {0};
    struct dj_statement *statement;
    int code = dj_sql_prepare(store, &statement, err,
                              "SELECT uid FROM batches WHERE substr(uid, 1, length(?1)) ="
                              " ?1 ORDER BY began_unix_ms DESC LIMIT ?2",
                              "ti", word, (int64_t)NAMED_MAX);
    while (dj_sql_next_row(statement, &code, NULL)) {
        dj_text_format(&ids, "%s%s", ids.length > 0 ? ", " : "",
                       dj_sql_word(statement, 0));
    }
    code = dj_error_set(
        err, DJ_E_USAGE, "%lld batches have ids that begin with '%s': %s%s",
        (long long)count, word, dj_xtext(&ids), count > NAMED_MAX ? ", …" : "");
    dj_text_finish(&ids);
    return code;
}

int dj_store_find_batch_id(struct dj_store *store, const char *id, int64_t *key,
                           struct dj_error *err)
{
    return dj_sql_int(store, key, err, "SELECT id FROM batches WHERE uid = ?", "t", id);
}

/* Queries for a word that is not an id. The first one finds a batch with this name. The
 * second one finds the newest batch of a project with this name. */
static const char *const meanings[] = {
    "SELECT id FROM batches WHERE name = ? ORDER BY began_unix_ms DESC, id DESC LIMIT 1",
    ("SELECT id FROM batches WHERE project_id = (SELECT id FROM projects WHERE name = ?)"
     " ORDER BY began_unix_ms DESC, id DESC LIMIT 1"),
};

int dj_store_find_batch(struct dj_store *store, const char *word, int64_t *key,
                        struct dj_error *err)
{
    int64_t count = 0;
    int code = dj_store_find_batch_id(store, word, key, err);
    for (size_t i = 0; code == 0 && *key == 0 && i < COUNT_OF(meanings); i++) {
        code = dj_sql_int(store, key, err, meanings[i], "t", word);
    }
    if (code != 0 || *key != 0) {
        return code;
    }
    if (strlen(word) >= ID_PREFIX_MIN) {
        code = count_prefix(store, word, &count, key, err);
    }
    if (code == 0 && count > 1) {
        return report_ambiguous(store, word, count, err);
    }
    return code == 0 && count == 0
               ? dj_error_set(
                     err, DJ_E_NO_DATA,
                     "%s: no batch has the id, name or project '%s' (see dejank list)",
                     store->path, word)
               : code;
}
