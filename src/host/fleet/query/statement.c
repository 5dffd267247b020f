#include "fleet/query/sources.h"

#include <string.h>

#include "fleet/session.h"
#include "memory/memory.h"

/* A session has a version name or at least a version code. */
#define VERSION                                                                          \
    "if(version != '', version, if(version_code >= 0, toString(version_code), ''))"
#define REFRESH "if(refresh_hz = 0, '', toString(refresh_hz))"

/* The keys: name, expression over the columns, the roll-ups that contain it as bits of
 * their numbers, and whether it is the same in all revisions of a session. */
static const struct {
    const char *name, *expression;
    unsigned rollups;
    bool is_identity;
} keys[DJ_FLEET_KEYS] = {
    [DJ_FLEET_APP] = {"app", "app", 3, true},
    [DJ_FLEET_VERSION] = {"version", VERSION, 3, false},
    [DJ_FLEET_DEVICE] = {"device", "device", 2, true},
    [DJ_FLEET_CLASS] = {"class", "class", 2, false},
    [DJ_FLEET_RELEASE] = {"release", "release", 2, true},
    [DJ_FLEET_REFRESH] = {"refresh", REFRESH, 2, true},
    [DJ_FLEET_DAY] = {"day", "toString(day)", 3, true},
};

const char *dj_fleet_key_get_name(enum dj_fleet_key key)
{
    return keys[key].name;
}

void dj_fleet_query_init(struct dj_fleet_query *query)
{
    *query = (struct dj_fleet_query){
        .since_day = -1, .before_day = -1, .limits = dj_fleet_default_limits};
}

static int add_key(struct dj_str word, struct dj_fleet_query *query, struct dj_error *err)
{
    for (int key = 0; key < DJ_FLEET_KEYS; key++) {
        if (!dj_str_is(word, keys[key].name)) {
            continue;
        }
        for (size_t i = 0; i < query->by_count; i++) {
            if (query->by[i] == (enum dj_fleet_key)key) {
                return dj_error_set(err, DJ_E_USAGE, "--by: '%s' occurs twice",
                                    keys[key].name);
            }
        }
        query->by[query->by_count++] = (enum dj_fleet_key)key;
        return 0;
    }
    return dj_error_set(err, DJ_E_USAGE,
                        "--by: expected app, version, device, class, release, refresh or "
                        "day, found '%.*s'",
                        (int)(word.length < 40 ? word.length : 40), word.at);
}

int dj_fleet_parse_keys(const char *words, struct dj_fleet_query *query,
                        struct dj_error *err)
{
    struct dj_str rest = dj_str_of(words);
    int code = 0;
    while (code == 0) {
        const char *comma = memchr(rest.at, ',', rest.length);
        size_t length = comma != NULL ? (size_t)(comma - rest.at) : rest.length;
        code = add_key(dj_str_trim((struct dj_str){rest.at, length}), query, err);
        if (comma == NULL) {
            break;
        }
        rest = dj_str_from(rest, length + 1);
    }
    return code;
}

bool dj_fleet_has_default_limits(const struct dj_fleet_query *query)
{
    return query->limits.slow_pct == dj_fleet_default_limits.slow_pct &&
           query->limits.frozen_pct == dj_fleet_default_limits.frozen_pct;
}

size_t dj_fleet_choose_rollup(const struct dj_fleet_query *query)
{
    unsigned possible = 3;
    for (size_t i = 0; i < query->by_count; i++) {
        possible &= keys[query->by[i]].rollups;
    }
    for (size_t i = 0; i < DJ_FLEET_KEYS; i++) {
        possible &= query->only[i] != NULL ? keys[i].rollups : possible;
    }
    return (possible & 1) != 0 ? 0 : 1;
}

static void append_day(struct dj_text *sql, const char *operator, int64_t day)
{
    dj_text_format(sql, " AND day %s '", operator);
    dj_session_append_day(sql, day);
    dj_text_add(sql, "'");
}

/* Appends the conditions on the keys that are part of the identity of a session, or those
 * on the other ones. */
static void append_values(struct dj_text *sql, const struct dj_fleet_query *query,
                          bool is_identity)
{
    for (size_t i = 0; i < DJ_FLEET_KEYS; i++) {
        if (query->only[i] != NULL && keys[i].is_identity == is_identity) {
            dj_text_format(sql, " AND %s = ", keys[i].expression);
            dj_sql_append_text(sql, query->only[i]);
        }
    }
}

void dj_fleet_append_identity_conditions(struct dj_text *sql,
                                         const struct dj_fleet_query *query)
{
    append_values(sql, query, true);
    if (query->since_day >= 0) {
        append_day(sql, ">=", query->since_day);
    }
    if (query->before_day >= 0) {
        append_day(sql, "<", query->before_day);
    }
}

void dj_fleet_append_conditions(struct dj_text *sql, const struct dj_fleet_query *query)
{
    dj_fleet_append_identity_conditions(sql, query);
    append_values(sql, query, false);
    for (size_t i = 0; i < query->version_count; i++) {
        dj_text_format(sql, i == 0 ? " AND " VERSION " IN (" : ", ");
        dj_sql_append_text(sql, query->versions[i]);
    }
    dj_text_add(sql, query->version_count > 0 ? ")" : "");
}

/* Appends the keys as expressions, with names that no column has. */
static void append_key_expressions(struct dj_text *keys_sql,
                                   const struct dj_fleet_query *query)
{
    for (size_t i = 0; i < query->by_count; i++) {
        dj_text_format(keys_sql, "%s AS key_%zu, ", keys[query->by[i]].expression, i);
    }
    dj_text_add(keys_sql, "day AS its_day");
}

static void append_group_names(struct dj_text *sql, const struct dj_fleet_query *query)
{
    for (size_t i = 0; i < query->by_count; i++) {
        dj_text_format(sql, "key_%zu, ", i);
    }
}

bool dj_fleet_append_query(struct dj_text *sql, const struct dj_fleet_query *query,
                           const struct dj_fleet_shard_state *shard)
{
    struct dj_text expressions = {0};
    append_key_expressions(&expressions, query);
    dj_text_add(sql, "SELECT ");
    append_group_names(sql, query);
    dj_text_add(sql, "toUInt16(max(its_day)), ");
    dj_fleet_append_sums(sql);
    dj_text_add(sql, " FROM (");
    bool has_rows = dj_fleet_append_sources(sql, query, shard, dj_xtext(&expressions));
    dj_text_add(sql, ")");
    for (size_t i = 0; i < query->by_count; i++) {
        dj_text_format(sql, "%skey_%zu", i == 0 ? " GROUP BY " : ", ", i);
    }
    dj_text_add(sql, " FORMAT RowBinary");
    dj_text_finish(&expressions);
    return has_rows;
}
