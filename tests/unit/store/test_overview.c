#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "store/overview.h"
#include "store/sql/statement.h"
#include "support.h"

static int see_project(void *user, const struct dj_project_row *row)
{
    dj_text_format(user, "%s %" PRId64 " %s %" PRId64 "\n", row->name, row->batches,
                   row->last_batch != NULL ? row->last_batch : "none", row->last_unix_ms);
    return 0;
}

static int see_name(void *user, const char *name)
{
    dj_text_format(user, "%s\n", name);
    return 0;
}

static void run_sql(struct dj_store *store, const char *sql)
{
    struct dj_error err = {0};
    cr_assert_eq(dj_sql_run(store, &err, sql, ""), 0, "%s: %s", sql, err.message);
}

/* A project with two batches, of which the newer is excluded, and one with figures of
 * another tool. */
static struct dj_store *make_store(void)
{
    char *path = test_path("s.db");
    struct dj_store *store = open_store(path);
    free(path);
    add_batch(store, "scroll", 1);
    add_batch(store, "open", 1);
    run_sql(store, "UPDATE batches SET uid = 'first', began_unix_ms = 1000 WHERE name = "
                   "'scroll'");
    run_sql(store, "UPDATE batches SET uid = 'second', began_unix_ms = 2000, excluded = "
                   "'load' WHERE name = 'open'");
    run_sql(store, "INSERT INTO projects (name) VALUES ('org.other')");
    run_sql(store, "INSERT INTO series (identity, project_id, metric, sense, flow, "
                   "device) SELECT 'i', id, 'p95', 'less', 'start', 'lab' FROM projects "
                   "WHERE name = 'org.other'");
    run_sql(store,
            "INSERT INTO points (series_id, ordinal, at_unix_ms, value) SELECT id, "
            "0, 5000, 1 FROM series");
    return store;
}

Test(overview, a_project_has_its_newest_batch_or_figure)
{
    struct dj_store *store = make_store();
    struct dj_text seen = {0};
    cr_assert_eq(dj_store_read_projects(store, see_project, &seen, NULL), 0);
    cr_expect_str_eq(dj_text_get(&seen),
                     "com.example 1 first 1000\norg.other 0 none 5000\n");
    dj_text_finish(&seen);
    dj_store_close(store);
}

static void expect_choices(struct dj_store *store, enum dj_project_part part,
                           const char *project, const char *expected)
{
    struct dj_text seen = {0};
    cr_assert_eq(dj_store_read_choices(store, part, project, see_name, &seen, NULL), 0);
    cr_expect_str_eq(dj_text_get(&seen), expected);
    dj_text_finish(&seen);
}

Test(overview, choices_are_what_the_store_has)
{
    struct dj_store *store = make_store();
    expect_choices(store, DJ_PROJECT_NAMES, NULL, "com.example\norg.other\n");
    expect_choices(store, DJ_PROJECT_FLOWS, NULL, "open\nscroll\nstart\n");
    expect_choices(store, DJ_PROJECT_FLOWS, "com.example", "open\nscroll\n");
    expect_choices(store, DJ_PROJECT_FLOWS, "org.other", "start\n");
    expect_choices(store, DJ_PROJECT_DEVICES, NULL, "lab\nserial-1\n");
    expect_choices(store, DJ_PROJECT_DEVICES, "org.other", "lab\n");
    expect_choices(store, DJ_PROJECT_DEVICES, "no.such", "");
    dj_store_close(store);
}
