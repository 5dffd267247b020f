#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fleet/spool.h"

static void expect_label(const char *path, int64_t sessions, size_t shard, size_t count)
{
    struct dj_spool_label label = dj_fleet_spool_parse_label(path);
    cr_expect_eq(label.sessions, sessions, "%s: %lld", path, (long long)label.sessions);
    cr_expect_eq(label.shard, shard, "%s", path);
    cr_expect_eq(label.shard_count, count, "%s", path);
}

Test(spool, labels_are_read_as_they_are_written)
{
    static const struct dj_spool_label labels[] = {
        {0, 0, 0}, {1, 0, 0}, {100000, 0, 1}, {7, 1, 2}, {3, 63, 64}};
    for (size_t i = 0; i < COUNT_OF(labels); i++) {
        struct dj_text name = {0};
        dj_text_add(&name, "/var/spool/a.b/00001-2-3-4");
        dj_fleet_spool_append_label(&name, &labels[i]);
        expect_label(dj_text_get(&name), labels[i].sessions, labels[i].shard,
                     labels[i].shard_count);
        dj_text_finish(&name);
    }
}

Test(spool, other_names_have_an_empty_label)
{
    static const char *const names[] = {"00001-2-3-4.rowbinary",
                                        "a.x.rowbinary",
                                        "a.5.2-of-2.rowbinary",
                                        "a.5.x-of-2.rowbinary",
                                        "a.5.1-of-.rowbinary",
                                        "a.-5.rowbinary",
                                        "a.1.0-of-2x.rowbinary",
                                        "a.99999999999999999999.rowbinary",
                                        ".rowbinary",
                                        "1-of-2.rowbinary",
                                        "a.5.1-of-2",
                                        ""};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        expect_label(names[i], 0, 0, 0);
    }
}

static char *make_folder(void)
{
    static char folder[] = "/tmp/dejank-test-spool-XXXXXX";
    cr_assert(mkdtemp(folder) != NULL);
    return folder;
}

static void write_rows(const char *folder, const char *rows, int64_t sessions)
{
    struct dj_spool_label label = {.sessions = sessions};
    struct dj_error err = {0};
    cr_assert_eq(dj_fleet_spool_write(folder, dj_str_of(rows), &label, &err), 0, "%s",
                 err.message);
}

Test(spool, files_are_listed_oldest_first_and_deleted)
{
    char *folder = make_folder();
    struct dj_fleet_spool spool = {0};
    for (int64_t i = 1; i <= 5; i++) {
        write_rows(folder, "rows", i);
    }
    cr_assert_eq(dj_fleet_spool_list(folder, &spool, NULL), 0);
    cr_assert_eq(spool.count, 5);
    for (size_t i = 0; i < spool.count; i++) {
        struct stat status;
        expect_label(spool.paths[i], (int64_t)i + 1, 0, 0);
        cr_expect(stat(spool.paths[i], &status) == 0 && status.st_size == 4);
    }
    dj_fleet_spool_delete(&spool);
    cr_assert_eq(dj_fleet_spool_list(folder, &spool, NULL), 0);
    cr_expect_eq(spool.count, 0);
    cr_expect_eq(rmdir(folder), 0);
}

Test(spool, a_file_that_is_set_aside_is_kept_but_not_listed)
{
    char *folder = make_folder();
    struct dj_fleet_spool spool = {0};
    write_rows(folder, "rows", 1);
    cr_assert_eq(dj_fleet_spool_list(folder, &spool, NULL), 0);
    struct dj_text other = {0};
    dj_text_format(&other, "%s.refused", spool.paths[0]);
    dj_fleet_spool_reject(spool.paths[0]);
    dj_fleet_spool_finish(&spool);
    cr_assert_eq(dj_fleet_spool_list(folder, &spool, NULL), 0);
    cr_expect_eq(spool.count, 0);
    cr_expect_eq(unlink(dj_text_get(&other)), 0);
    cr_expect_eq(rmdir(folder), 0);
    dj_text_finish(&other);
}

Test(spool, a_folder_that_is_missing_is_an_error)
{
    struct dj_spool_label label = {0};
    struct dj_error err = {0};
    struct dj_fleet_spool spool = {0};
    cr_expect_eq(dj_fleet_spool_write("/nonexistent", dj_str_of("rows"), &label, &err),
                 DJ_E_OUTPUT);
    cr_expect(strstr(err.message, "cannot write /nonexistent/") != NULL, "%s",
              err.message);
    cr_expect_eq(dj_fleet_spool_list("/nonexistent", &spool, &err), DJ_E_IO);
}
