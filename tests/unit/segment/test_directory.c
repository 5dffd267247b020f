#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support.h"

TestSuite(directory, .init = test_setup, .fini = test_teardown);

/* Sets $XDG_RUNTIME_DIR to this directory and unsets $DEJANK_DIR. */
static void only_runtime(const char *runtime)
{
    unsetenv("DEJANK_DIR");
    if (runtime != NULL) {
        setenv("XDG_RUNTIME_DIR", runtime, 1);
    } else {
        unsetenv("XDG_RUNTIME_DIR");
    }
}

Test(directory, a_chosen_directory_is_created_with_mode_0700)
{
    struct dj_segment_directory directory;
    struct stat status;
    setenv("DEJANK_DIR", test_path("made"), 1);
    cr_assert_eq(dj_segment_ensure_directory(&directory, NULL), 0);
    cr_assert_str_eq(directory.path, test_path("made"));
    cr_assert_eq(directory.owner, geteuid());
    cr_assert_eq(stat(directory.path, &status), 0);
    cr_assert_eq(status.st_mode & 07777, 0700);
    cr_assert_eq(dj_segment_ensure_directory(&directory, NULL), 0,
                 "the directory exists at the second call");
}

Test(directory, the_runtime_directory_is_the_second_choice)
{
    struct dj_segment_directory directory;
    only_runtime(test_directory);
    cr_assert_eq(dj_segment_ensure_directory(&directory, NULL), 0);
    cr_assert_str_eq(directory.path, test_path("dejank"));
}

Test(directory, runtime_directory_must_be_absolute_owned_and_existing)
{
    struct dj_segment_directory directory;
    static const char *const unusable[] = {"relative", "", "/nonexistent/dejank",
                                           "/dev/null"};
    for (size_t i = 0; i < sizeof(unusable) / sizeof(unusable[0]); i++) {
        only_runtime(unusable[i]);
        dj_segment_ensure_directory(&directory, NULL);
        cr_assert(strncmp(directory.path, "/run/dejank", 11) == 0 ||
                      strncmp(directory.path, "/tmp/dejank-", 12) == 0,
                  "%s resulted in %s", unusable[i], directory.path);
    }
}

Test(directory, runtime_directory_of_another_user_is_not_used)
{
    if (geteuid() != 0) {
        cr_skip("needs root");
    }
    struct dj_segment_directory directory;
    cr_assert_eq(mkdir(test_path("other"), 0700), 0);
    cr_assert_eq(chown(test_path("other"), 12345, 12345), 0);
    only_runtime(test_path("other"));
    dj_segment_ensure_directory(&directory, NULL);
    cr_assert_str_eq(directory.path, "/run/dejank");
    cr_assert_neq(access(test_path("other/dejank"), F_OK), 0);
}

Test(directory, a_directory_writable_by_others_is_refused)
{
    struct dj_segment_directory directory;
    struct dj_error err = {0};
    cr_assert_eq(mkdir(test_path("real"), 0700), 0);
    cr_assert_eq(symlink(test_path("real"), test_path("link")), 0);
    setenv("DEJANK_DIR", test_path("link"), 1);
    cr_assert_eq(dj_segment_ensure_directory(&directory, &err), DJ_E_OWNER);
    cr_assert(strstr(err.message, "a link") != NULL, "%s", err.message);

    test_write_file(test_path("file"), "x", 1);
    setenv("DEJANK_DIR", test_path("file"), 1);
    cr_assert_eq(dj_segment_ensure_directory(&directory, &err), DJ_E_OWNER);

    cr_assert_eq(chmod(test_path("real"), 0770), 0);
    setenv("DEJANK_DIR", test_path("real"), 1);
    cr_assert_eq(dj_segment_ensure_directory(&directory, &err), DJ_E_OWNER);
    cr_assert(strstr(err.message, "chmod go-w") != NULL, "%s", err.message);

    cr_assert_eq(chmod(test_path("real"), 0755), 0);
    cr_assert_eq(dj_segment_ensure_directory(&directory, &err), 0);

    setenv("DEJANK_DIR", "/nonexistent/a/b", 1);
    cr_assert_eq(dj_segment_ensure_directory(&directory, &err), DJ_E_IO);
}

Test(directory, a_directory_of_another_owner_is_refused)
{
    if (geteuid() != 0) {
        cr_skip("needs root");
    }
    struct dj_segment_directory directory;
    struct dj_error err = {0};
    cr_assert_eq(chown(test_directory, 12345, 12345), 0);
    cr_assert_eq(dj_segment_ensure_directory(&directory, &err), DJ_E_OWNER);
    cr_assert(strstr(err.message, "12345") != NULL, "%s", err.message);
    cr_assert_eq(dj_segment_list_directories(&directory, 1), 0);
    cr_assert_eq(chown(test_directory, 0, 0), 0);
}

Test(directory, a_path_that_is_too_long_is_refused)
{
    struct dj_segment_directory directory;
    char path[DJ_SEGMENT_PATH + 10];
    memset(path, 'a', sizeof(path));
    path[0] = '/';
    path[sizeof(path) - 1] = '\0';
    setenv("DEJANK_DIR", path, 1);
    cr_assert_eq(dj_segment_ensure_directory(&directory, NULL), DJ_E_LIMIT);
    cr_assert_eq(dj_segment_list_directories(&directory, 1), 0);
}

Test(directory, a_chosen_directory_is_the_only_one)
{
    struct dj_segment_directory directories[8];
    setenv("XDG_RUNTIME_DIR", test_directory, 1);
    cr_assert_eq(mkdir(test_path("dejank"), 0700), 0);
    cr_assert_eq(dj_segment_list_directories(directories, 8), 1);
    cr_assert_str_eq(directories[0].path, test_directory);
    cr_assert_eq(dj_segment_list_directories(directories, 0), 0);
    setenv("DEJANK_DIR", test_path("missing"), 1);
    cr_assert_eq(dj_segment_list_directories(directories, 8), 0,
                 "a missing directory is not listed");
}

Test(directory, directories_are_listed_once)
{
    struct dj_segment_directory directories[64];
    only_runtime(test_directory);
    cr_assert_eq(mkdir(test_path("dejank"), 0700), 0);
    size_t count = dj_segment_list_directories(directories, 64);
    cr_assert_geq(count, 1);
    cr_assert_str_eq(directories[0].path, test_path("dejank"),
                     "the user's own comes first");
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            cr_assert_str_neq(directories[i].path, directories[k].path);
        }
    }
}

/* Root reads /tmp/dejank-UID of every user. Each directory must have the right owner. */
Test(directory, root_finds_every_users_directory)
{
    if (geteuid() != 0) {
        cr_skip("needs root");
    }
    const char *theirs = "/tmp/dejank-2147480001";
    const char *stolen = "/tmp/dejank-2147480002";
    mkdir(theirs, 0700);
    mkdir(stolen, 0700);
    bool owned = chown(theirs, 2147480001, 0) == 0;
    only_runtime(NULL);
    struct dj_segment_directory directories[64];
    size_t count = dj_segment_list_directories(directories, 64);
    bool found = false;
    bool found_stolen = false;
    for (size_t i = 0; i < count; i++) {
        found = found || (strcmp(directories[i].path, theirs) == 0 &&
                          directories[i].owner == 2147480001);
        found_stolen = found_stolen || strcmp(directories[i].path, stolen) == 0;
    }
    rmdir(theirs);
    rmdir(stolen);
    cr_assert(owned && found);
    cr_assert_not(found_stolen, "the owner differs from the one in the name");
}

/* The files that a scan found. */
struct seen {
    size_t count;
    size_t stop_after;
    struct dj_segment_file file[8];
};

static bool add_seen(const struct dj_segment_file *file, void *user)
{
    struct seen *seen = user;
    seen->file[seen->count++ % 8] = *file;
    return seen->count != seen->stop_after;
}

static struct dj_segment_directory get_own_directory(void)
{
    struct dj_segment_directory directory;
    cr_assert_eq(dj_segment_ensure_directory(&directory, NULL), 0);
    return directory;
}

Test(directory, scan_ignores_other_names)
{
    static const char *const others[] = {
        "a",
        "1",
        "1.",
        ".1",
        "01.1",
        "1.01",
        "1.1.0",
        "1.1.01",
        "1.1.16",
        "1.1.",
        "1.1.x",
        "1.1.1.1",
        "1.1.18446744073709551617",
        "1.1x",
        "x1.1",
        "-1.1",
        "1.-1",
        "0.1",
        "99999999999.1",
        "1.99999999999999999999",
        "18446744073709551617.1",
        " 1.1",
    };
    struct dj_segment_directory directory = get_own_directory();
    struct seen seen = {0};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        test_write_file(test_path(others[i]), "", 0);
    }
    cr_assert_eq(dj_segment_scan(&directory, add_seen, &seen, NULL), 0);
    cr_assert_eq(seen.count, 0, "took %s", seen.file[0].path);
    test_write_file(test_path("7.18446744073709551615"), "", 0);
    test_write_file(test_path("2147483647.0"), "", 0);
    cr_assert_eq(dj_segment_scan(&directory, add_seen, &seen, NULL), 0);
    cr_assert_eq(seen.count, 2);
}

Test(directory, scan_finds_the_files_of_later_images)
{
    struct dj_segment_directory directory = get_own_directory();
    struct seen seen = {0};
    test_write_file(test_path("7.8.15"), "", 0);
    cr_assert_eq(dj_segment_scan(&directory, add_seen, &seen, NULL), 0);
    cr_assert_eq(seen.count, 1);
    cr_assert_eq(seen.file[0].pid, 7);
    cr_assert_eq(seen.file[0].start_ticks, 8);
    cr_assert_eq(seen.file[0].image, 15);
}

Test(directory, file_names_contain_pid_start_and_image)
{
    char name[DJ_SEGMENT_FILE_NAME];
    dj_segment_file_name(name, 7, 8, 0);
    cr_assert_str_eq(name, "7.8");
    dj_segment_file_name(name, INT32_MAX, UINT64_MAX, DJ_SEGMENT_IMAGES - 1);
    cr_assert_str_eq(name, "2147483647.18446744073709551615.15");
}

Test(directory, the_newest_image_is_not_replaced)
{
    test_write_file(test_path("7.8"), "", 0);
    cr_assert_not(dj_segment_is_replaced(test_path("7.8")));
    test_write_file(test_path("7.9"), "", 0);
    test_write_file(test_path("7.8.x"), "", 0);
    cr_assert_not(dj_segment_is_replaced(test_path("7.8")));
    test_write_file(test_path("7.8.1"), "", 0);
    cr_assert(dj_segment_is_replaced(test_path("7.8")));
    cr_assert_not(dj_segment_is_replaced(test_path("7.8.1")));
    test_write_file(test_path("7.8.2"), "", 0);
    cr_assert(dj_segment_is_replaced(test_path("7.8.1")));
    cr_assert_not(dj_segment_is_replaced(test_path("somebody-elses")));
    cr_assert_not(dj_segment_is_replaced("7.8"), "a directory of another user");
}

Test(directory, scan_distinguishes_running_from_ended_processes)
{
    struct dj_segment_writer writer;
    struct dj_segment_directory directory = get_own_directory();
    struct seen seen = {0};
    test_create(&writer);
    cr_assert_eq(dj_segment_scan(&directory, add_seen, &seen, NULL), 0);
    cr_assert_eq(seen.count, 1);
    cr_assert_str_eq(seen.file[0].path, test_segment());
    cr_assert_eq(seen.file[0].pid, getpid());
    cr_assert_eq(seen.file[0].owner, geteuid());
    cr_assert_not(seen.file[0].ended);
    cr_assert_not(seen.file[0].other_boot);
    cr_assert_leq(llabs(time(NULL) - seen.file[0].modified_s), 5);

    seen = (struct seen){0};
    cr_assert_eq(rename(test_segment(), test_path("2147483646.5")), 0);
    cr_assert_eq(dj_segment_scan(&directory, add_seen, &seen, NULL), 0);
    cr_assert(seen.file[0].ended, "no process has this pid");
    dj_segment_unmap(&writer);
}

Test(directory, scan_detects_files_of_another_boot)
{
    struct dj_segment_writer writer;
    struct dj_segment_directory directory = get_own_directory();
    struct seen seen = {0};
    test_create(&writer);
    writer.header->boot_id[0] = writer.header->boot_id[0] == 'x' ? 'y' : 'x';
    cr_assert_eq(dj_segment_scan(&directory, add_seen, &seen, NULL), 0);
    cr_assert(seen.file[0].other_boot);
    cr_assert(seen.file[0].ended, "the process ran before this boot");
    dj_segment_unmap(&writer);
}

Test(directory, scan_stops_when_the_callback_returns_false)
{
    struct dj_segment_directory directory = get_own_directory();
    struct seen seen = {.stop_after = 2};
    for (int i = 1; i <= 5; i++) {
        char name[16];
        snprintf(name, sizeof(name), "%d.1", i);
        test_write_file(test_path(name), "", 0);
    }
    cr_assert_eq(dj_segment_scan(&directory, add_seen, &seen, NULL), 0);
    cr_assert_eq(seen.count, 2);
}

Test(directory, scanning_a_missing_directory_is_an_error)
{
    struct dj_segment_directory directory = {.owner = geteuid()};
    struct dj_error err = {0};
    snprintf(directory.path, sizeof(directory.path), "%s", test_path("missing"));
    cr_assert_eq(dj_segment_scan(&directory, add_seen, NULL, &err), DJ_E_NOT_FOUND);
    cr_assert(strstr(err.message, "missing") != NULL);
    cr_assert_eq(symlink(test_directory, test_path("missing")), 0);
    cr_assert_lt(dj_segment_scan(&directory, add_seen, NULL, &err), 0,
                 "a link is not followed");
}

static bool exists(const char *name)
{
    struct stat status;
    return lstat(test_path(name), &status) == 0;
}

/* Creates the file of an ended process, last written ago_s seconds ago. */
static void create_dead_file(const char *name, int64_t ago_s)
{
    test_write_file(test_path(name), "", 0);
    struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_sec = time(NULL) - ago_s}};
    cr_assert_eq(utimensat(AT_FDCWD, test_path(name), times, 0), 0);
}

Test(directory, prune_removes_files_older_than_three_days)
{
    struct dj_segment_directory directory = get_own_directory();
    create_dead_file("2147483640.1", 60);
    create_dead_file("2147483641.1", DJ_SEGMENT_ENDED_DAYS * 86400 + 60);
    create_dead_file("other-file", DJ_SEGMENT_ENDED_DAYS * 86400 + 60);
    dj_segment_prune(&directory);
    cr_assert(exists("2147483640.1"));
    cr_assert_not(exists("2147483641.1"));
    cr_assert(exists("other-file"));
}

/* When the process replaces itself again, it derives the number of the new file from the
 * existing ones. */
Test(directory, prune_keeps_all_files_of_a_running_process)
{
    struct dj_segment_directory directory = get_own_directory();
    char name[DJ_SEGMENT_FILE_NAME];
    for (unsigned image = 0; image < 3; image++) {
        dj_segment_file_name(name, getpid(), dj_segment_process_start_ticks(getpid()),
                             image);
        create_dead_file(name, DJ_SEGMENT_ENDED_DAYS * 86400 + 60);
        dj_segment_file_name(name, 2147483640, 1, image);
        create_dead_file(name, DJ_SEGMENT_ENDED_DAYS * 86400 + 60);
    }
    dj_segment_prune(&directory);
    for (unsigned image = 0; image < 3; image++) {
        dj_segment_file_name(name, getpid(), dj_segment_process_start_ticks(getpid()),
                             image);
        cr_assert(exists(name));
        dj_segment_file_name(name, 2147483640, 1, image);
        cr_assert_not(exists(name));
    }
}

Test(directory, prune_keeps_the_newest_ended)
{
    struct dj_segment_directory directory = get_own_directory();
    char name[32];
    for (int i = 0; i < DJ_SEGMENT_ENDED_MAX + 10; i++) {
        /* The ages are neither ascending nor descending, in case the directory is read
         * in order. */
        int age = i * 31 % (DJ_SEGMENT_ENDED_MAX + 10);
        snprintf(name, sizeof(name), "%d.7", 2147400000 + age);
        create_dead_file(name, 100 + age);
    }
    dj_segment_prune(&directory);
    for (int age = 0; age < DJ_SEGMENT_ENDED_MAX + 10; age++) {
        snprintf(name, sizeof(name), "%d.7", 2147400000 + age);
        cr_assert_eq(exists(name), age < DJ_SEGMENT_ENDED_MAX, "%s", name);
    }
}

Test(directory, prune_keeps_files_of_running_processes)
{
    struct dj_segment_writer writer;
    struct dj_segment_directory directory = get_own_directory();
    test_create(&writer);
    struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    cr_assert_eq(utimensat(AT_FDCWD, test_segment(), long_ago, 0), 0);
    dj_segment_prune(&directory);
    cr_assert_eq(access(test_segment(), F_OK), 0);
    dj_segment_unmap(&writer);
}

/* Writing a mapping does not change the file's modification time, so the timestamp of
 * the newest frame is used. */
Test(directory, prune_uses_the_time_of_the_last_frame)
{
    struct dj_segment_writer writer;
    struct dj_segment_directory directory = get_own_directory();
    test_create(&writer);
    dj_segment_unmap(&writer);
    cr_assert_eq(rename(test_segment(), test_path("2147483646.5")), 0);
    struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    cr_assert_eq(utimensat(AT_FDCWD, test_path("2147483646.5"), long_ago, 0), 0);
    dj_segment_prune(&directory);
    cr_assert(exists("2147483646.5"));
}

/* Creates the segment of an ended process with this file name. */
static void create_ended_segment(const char *name, enum dj_retention retention)
{
    struct dj_segment_writer writer;
    test_create(&writer);
    writer.header->retention = retention;
    dj_segment_unmap(&writer);
    cr_assert_eq(rename(test_segment(), test_path(name)), 0);
}

Test(directory, prune_keeps_every_named_recording)
{
    struct dj_segment_directory directory = get_own_directory();
    char name[32];
    create_ended_segment("2147483640.1", DJ_RETAIN_NAMED);
    create_ended_segment("2147483641.1", DJ_RETAIN_NEWEST);
    create_ended_segment("2147483642.1", DJ_RETAIN_TEMPORARY);
    for (int i = 0; i < DJ_SEGMENT_ENDED_MAX; i++) {
        snprintf(name, sizeof(name), "%d.7", 2147400000 + i);
        create_dead_file(name, -60); /* Newer than the others. */
    }
    dj_segment_prune(&directory);
    cr_assert(exists("2147483640.1"));
    cr_assert_not(exists("2147483641.1"));
    cr_assert_not(exists("2147483642.1"));
    cr_assert(exists(name), "a named recording displaces no other");
}

Test(directory, prune_removes_a_named_recording_of_another_boot)
{
    struct dj_segment_writer writer;
    struct dj_segment_directory directory = get_own_directory();
    test_create(&writer);
    writer.header->retention = DJ_RETAIN_NAMED;
    writer.header->boot_id[0] = writer.header->boot_id[0] == 'x' ? 'y' : 'x';
    dj_segment_unmap(&writer);
    dj_segment_prune(&directory);
    cr_assert_neq(access(test_segment(), F_OK), 0);
}

Test(directory, scan_reads_the_retention)
{
    struct dj_segment_directory directory = get_own_directory();
    const struct {
        uint32_t version, retention;
        enum dj_retention expected;
    } cases[] = {
        {DJ_SEGMENT_VERSION, DJ_RETAIN_NAMED, DJ_RETAIN_NAMED},
        {DJ_SEGMENT_VERSION, DJ_RETAIN_TEMPORARY, DJ_RETAIN_TEMPORARY},
        {DJ_SEGMENT_VERSION, DJ_RETENTION_COUNT, DJ_RETAIN_NEWEST},
        {DJ_SEGMENT_VERSION + 1, DJ_RETAIN_NAMED, DJ_RETAIN_NEWEST},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct dj_segment_writer writer;
        struct seen seen = {0};
        test_create(&writer);
        writer.header->version = cases[i].version;
        writer.header->retention = cases[i].retention;
        cr_assert_eq(dj_segment_scan(&directory, add_seen, &seen, NULL), 0);
        cr_assert_eq(seen.file[0].retention, cases[i].expected);
        dj_segment_unmap(&writer);
    }
}

Test(directory, remove_also_removes_the_sections_file)
{
    struct dj_segment_file file = {0};
    struct dj_error err = {0};
    test_write_file(test_path("2147483640.1"), "", 0);
    test_write_file(test_path("2147483640.1.sections"), "", 0);
    snprintf(file.path, sizeof(file.path), "%s", test_path("2147483640.1"));
    cr_assert_eq(dj_segment_remove(&file, &err), 0, "%s", err.message);
    cr_assert_not(exists("2147483640.1"));
    cr_assert_not(exists("2147483640.1.sections"));
    cr_assert_eq(dj_segment_remove(&file, &err), 0, "the file was already removed");
    cr_assert_eq(mkdir(test_path("2147483640.1"), 0700), 0);
    cr_assert_eq(dj_segment_remove(&file, &err), DJ_E_IO);
    cr_assert_eq(rmdir(test_path("2147483640.1")), 0);
}

Test(directory, prune_removes_files_of_another_boot)
{
    struct dj_segment_writer writer;
    struct dj_segment_directory directory = get_own_directory();
    test_create(&writer);
    writer.header->boot_id[0] = writer.header->boot_id[0] == 'x' ? 'y' : 'x';
    dj_segment_unmap(&writer);
    dj_segment_prune(&directory);
    cr_assert_neq(access(test_segment(), F_OK), 0);
}

Test(process, this_process_is_alive)
{
    uint64_t start = dj_segment_process_start_ticks(getpid());
    cr_assert_gt(start, 0);
    cr_assert(dj_segment_process_is_alive(getpid(), start));
    cr_assert_not(dj_segment_process_is_alive(getpid(), start + 1),
                  "another process with the same pid");
    cr_assert_not(dj_segment_process_is_alive(2147483646, start));
    cr_assert_not(dj_segment_process_is_alive(0, start));
    cr_assert_not(dj_segment_process_is_alive(-1, start));
    cr_assert_eq(dj_segment_process_start_ticks(2147483646), 0);
}

Test(process, a_stopped_process_is_alive_and_a_zombie_is_not)
{
    siginfo_t info;
    pid_t child = fork();
    if (child == 0) {
        raise(SIGSTOP);
        _exit(0);
    }
    uint64_t start = dj_segment_process_start_ticks(child);
    cr_assert_eq(waitid(P_PID, (id_t)child, &info, WSTOPPED), 0);
    cr_assert(dj_segment_process_is_alive(child, start));
    kill(child, SIGKILL);
    cr_assert_eq(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    cr_assert_not(dj_segment_process_is_alive(child, start), "a zombie");
    waitpid(child, NULL, 0);
    cr_assert_not(dj_segment_process_is_alive(child, start));
}

/* The process name is in the middle of /proc/PID/stat and may look like other fields. */
Test(process, names_with_brackets_and_spaces_do_not_confuse_the_reader)
{
    uint64_t before = dj_segment_process_start_ticks(getpid());
    FILE *name = fopen("/proc/self/comm", "w");
    cr_assert_not_null(name);
    fputs("a) Z 1 2 (b", name);
    fclose(name);
    cr_assert_eq(dj_segment_process_start_ticks(getpid()), before);
    cr_assert(dj_segment_process_is_alive(getpid(), before));
}

Test(process, boot_id_is_a_uuid)
{
    char id[40];
    memset(id, 'x', sizeof(id));
    dj_segment_read_boot_id(id);
    cr_assert_eq(strlen(id), 36);
    cr_assert_eq(id[8], '-');
}
