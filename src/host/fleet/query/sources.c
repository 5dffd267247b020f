/*
 * A week that is split (fleet/state.h) has a base, which contains each session once, and
 * later parts. A later session is new, or another revision of a session of the base. So
 * the sessions of the week are the base, minus its sessions with ids that later parts
 * have, plus the newest revisions of these ids. The base comes from a roll-up if
 * possible.
 *
 * All other weeks are read with FINAL, which merges the revisions of each session. That
 * is several times slower than to read a base.
 */
#include "fleet/query/sources.h"

#include <inttypes.h>

#include "memory/memory.h"

/* Quoted names of parts, separated by commas, and conditions on days. */
struct sources {
    struct dj_text rolled;  /* Bases that the roll-up contains. */
    struct dj_text bases;   /* Other bases. */
    struct dj_text changed; /* Bases of weeks with later parts. */
    struct dj_text weeks;   /* Weeks that are not split. */
    int64_t last_block;     /* The last block of the later parts, or 0. */
};

struct branches {
    struct dj_text *sql;
    const struct dj_fleet_query *query;
    const char *keys;
    bool any;
};

static void add_name(struct dj_text *names, const struct dj_fleet_part *part)
{
    dj_text_format(names, "%s'%s'", names->length > 0 ? ", " : "", part->name);
}

static void add_week(struct sources *sources, const struct dj_fleet_week *week,
                     size_t rollup)
{
    if (!dj_fleet_week_is_split(week)) {
        dj_text_add(&sources->weeks, sources->weeks.length > 0 ? " OR " : "");
        dj_fleet_append_week(&sources->weeks, week->monday);
        return;
    }
    add_name(week->is_rolled[rollup] ? &sources->rolled : &sources->bases,
             &week->parts[0]);
    if (week->part_count > 1) {
        add_name(&sources->changed, &week->parts[0]);
    }
    for (size_t i = 1; i < week->part_count; i++) {
        int64_t block = week->parts[i].last_block;
        sources->last_block = block > sources->last_block ? block : sources->last_block;
    }
}

static void finish_sources(struct sources *sources)
{
    dj_text_finish(&sources->rolled);
    dj_text_finish(&sources->bases);
    dj_text_finish(&sources->changed);
    dj_text_finish(&sources->weeks);
}

static void begin_branch(struct branches *branches)
{
    dj_text_add(branches->sql, branches->any ? " UNION ALL " : "");
    branches->any = true;
}

static void begin_session_branch(struct branches *branches, bool has_sign,
                                 bool only_limits)
{
    struct dj_fleet_row_form form = {.keys = branches->keys,
                                     .limits = &branches->query->limits,
                                     .has_sign = has_sign,
                                     .only_limits = only_limits};
    begin_branch(branches);
    dj_fleet_append_session_rows(branches->sql, &form);
}

/* Adds the bases that a roll-up contains. If the query has other limits than the roll-up,
 * the slow and frozen sessions are counted in the bases themselves. */
static void add_rollup(struct branches *branches, struct dj_text *rolled, size_t rollup)
{
    bool has_limits = dj_fleet_has_default_limits(branches->query);
    if (rolled->length == 0) {
        return;
    }
    begin_branch(branches);
    dj_fleet_append_rollup_rows(branches->sql, branches->keys, &dj_fleet_rollups[rollup],
                                has_limits);
    dj_text_format(branches->sql, "part IN (%s)", dj_xtext(rolled));
    dj_fleet_append_conditions(branches->sql, branches->query);
    if (!has_limits) {
        begin_session_branch(branches, false, true);
        dj_text_format(branches->sql, "dejank.sessions_local WHERE _part IN (%s)",
                       dj_xtext(rolled));
        dj_fleet_append_conditions(branches->sql, branches->query);
    }
}

/* Appends a condition that selects the later parts of the weeks that are split. Parts
 * that were inserted afterwards have higher numbers. The condition does not name the
 * later parts, because there may be more of them than fit into a statement. */
static void append_later(struct dj_text *sql, struct sources *sources)
{
    dj_text_format(sql,
                   "toInt64(splitByChar('_', _part)[3]) <= %" PRId64
                   " AND _part NOT IN (%s%s%s)",
                   sources->last_block, dj_xtext(&sources->rolled),
                   sources->rolled.length > 0 && sources->bases.length > 0 ? ", " : "",
                   dj_xtext(&sources->bases));
    if (sources->weeks.length > 0) {
        dj_text_format(sql, " AND NOT (%s)", dj_xtext(&sources->weeks));
    }
}

/* Appends a SELECT of the sessions of the bases that later parts have, too. Each is there
 * twice: to be added, if it is the newest revision, and to be subtracted. PREWHERE reads
 * their other columns only where an id is found. */
static void append_replaced(struct branches *branches, struct sources *sources)
{
    struct dj_text *sql = branches->sql;
    dj_text_format(sql,
                   "SELECT %s, arrayJoin([toInt8(1), toInt8(-1)]) AS sign, toUInt8(0) AS "
                   "is_later FROM dejank.sessions_local PREWHERE id IN (SELECT id FROM "
                   "dejank.sessions_local WHERE ",
                   dj_fleet_summed_columns);
    append_later(sql, sources);
    dj_fleet_append_identity_conditions(sql, branches->query);
    dj_text_format(sql, ") WHERE _part IN (%s)", dj_xtext(&sources->changed));
    dj_fleet_append_identity_conditions(sql, branches->query);
}

/* Subtracts the sessions of the bases that later parts have, too, and adds the newest
 * revision of each. The version and the class may differ between revisions, so conditions
 * on these apply to the revision that is added or subtracted. */
static void add_later(struct branches *branches, struct sources *sources)
{
    struct dj_text *sql = branches->sql;
    if (sources->changed.length == 0) {
        return;
    }
    begin_session_branch(branches, true, false);
    dj_text_format(sql, "(SELECT %s, sign FROM (", dj_fleet_summed_columns);
    append_replaced(branches, sources);
    dj_text_format(sql,
                   " UNION ALL SELECT %s, toInt8(1) AS sign, toUInt8(1) AS is_later FROM "
                   "dejank.sessions_local FINAL WHERE ",
                   dj_fleet_summed_columns);
    append_later(sql, sources);
    dj_fleet_append_identity_conditions(sql, branches->query);
    dj_text_format(sql,
                   ") ORDER BY revision DESC, is_later DESC LIMIT 1 BY sign, %s) WHERE 1",
                   dj_fleet_identity);
    dj_fleet_append_conditions(sql, branches->query);
}

static void add_sessions(struct branches *branches, struct dj_text *names,
                         struct dj_text *weeks)
{
    if (names->length > 0) {
        begin_session_branch(branches, false, false);
        dj_text_format(branches->sql, "dejank.sessions_local WHERE _part IN (%s)",
                       dj_xtext(names));
        dj_fleet_append_conditions(branches->sql, branches->query);
    }
    if (weeks->length > 0) {
        begin_session_branch(branches, false, false);
        dj_text_format(branches->sql, "dejank.sessions_local FINAL WHERE (%s)",
                       dj_xtext(weeks));
        dj_fleet_append_conditions(branches->sql, branches->query);
    }
}

bool dj_fleet_append_sources(struct dj_text *sql, const struct dj_fleet_query *query,
                             const struct dj_fleet_shard_state *shard, const char *keys)
{
    struct branches branches = {.sql = sql, .query = query, .keys = keys};
    struct sources sources = {0};
    size_t rollup = dj_fleet_choose_rollup(query);
    for (size_t i = 0; i < shard->week_count; i++) {
        add_week(&sources, &shard->weeks[i], rollup);
    }
    add_rollup(&branches, &sources.rolled, rollup);
    add_later(&branches, &sources);
    add_sessions(&branches, &sources.bases, &sources.weeks);
    finish_sources(&sources);
    return branches.any;
}
