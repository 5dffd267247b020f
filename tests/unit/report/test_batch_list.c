#include <criterion/criterion.h>
#include <stdlib.h>

#include "report/stored_batch.h"
#include "support.h"

static struct dj_batch_row rows[2] = {
    {.id = "bbbb1111bbbb1111",
     .name = "scroll",
     .project = "com.x",
     .label = "1.1",
     .serial = "rack 1",
     .began_unix_ms = 60000,
     .runs = {.clean = 9, .failed = 1, .planned = 10}},
    {.id = "aaaa1111aaaa1111",
     .name = "scroll",
     .project = "com.x",
     .version = "1.0",
     .serial = "rack 1",
     .runs = {.clean = 0, .excluded = 2}},
};

static void expect_list(size_t count, const char *store, const char *expected)
{
    struct dj_document document = {0};
    const struct dj_batch_list list = {.rows = rows, .count = count};
    setenv("TZ", "UTC", 1);
    dj_report_build_batch_list(&document, &list, store);
    expect_document(&document, 80, expected);
}

Test(batch_list, what_all_batches_share_is_before_the_table)
{
    expect_list(2, NULL,
                "2 batches, newest first\n\n"
                "project  com.x\nname     scroll\ndevice   rack 1\n\n"
                "batch             began             build  runs\n"
                "bbbb1111bbbb1111  1970-01-01 00:01  1.1    9 of 10, 1 failed\n"
                "aaaa1111aaaa1111  1970-01-01 00:00  1.0    0, 2 excluded\n\n"
                "next:\n"
                "  dejank show bbbb1111bbbb1111\n"
                "    the runs and figures of the newest batch\n"
                "  dejank compare aaaa1111aaaa1111 bbbb1111bbbb1111\n"
                "    decide whether the newest batch is slower than the batch before\n");
}

Test(batch_list, what_differs_is_a_column)
{
    rows[1].serial = "rack 2";
    rows[1].name = NULL;
    expect_list(
        2, "a b.db",
        "2 batches, newest first\n\n"
        "project  com.x\n\n"
        "batch             began             build  name    device  runs\n"
        "bbbb1111bbbb1111  1970-01-01 00:01  1.1    scroll  rack 1  9 of 10, 1 failed\n"
        "aaaa1111aaaa1111  1970-01-01 00:00  1.0    -       rack 2  0, 2 excluded\n\n"
        "next:\n"
        "  dejank show bbbb1111bbbb1111 --store 'a b.db'\n"
        "    the runs and figures of the newest batch\n"
        "  dejank compare aaaa1111aaaa1111 bbbb1111bbbb1111 --store 'a b.db'\n"
        "    decide whether the newest batch is slower than the batch before\n");
}

Test(batch_list, one_batch_has_nothing_to_compare)
{
    expect_list(
        1, NULL,
        "1 batch\n\n"
        "project  com.x\nname     scroll\ndevice   rack 1\n\n"
        "batch             began             build  runs\n"
        "bbbb1111bbbb1111  1970-01-01 00:01  1.1    9 of 10, 1 failed\n\n"
        "next:\n"
        "  dejank show bbbb1111bbbb1111  the runs and figures of the newest batch\n");
}
