/* Tests the messages about an app that starts late, ends early, is not recorded or
 * does not exist. */
#include "capture/app_watch.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static struct dj_records_process process = {.pid = 77};
static struct dj_records none, one = {.processes = &process, .count = 1};
static struct dj_error err;

static const char *update_watch(struct dj_app_watch *watch,
                                const struct dj_records *records)
{
    watch->message[0] = '\0';
    cr_assert(dj_app_watch_update(watch, records, &err) == 0, "%s", err.message);
    return watch->message;
}

static void expect_limit(const struct dj_app_watch *watch, bool has_data,
                         const char *message)
{
    char limit[DJ_CAPTURE_LIMIT] = "";
    cr_expect(dj_app_watch_write_limit(watch, has_data, limit) == (message != NULL));
    cr_expect(message == NULL || strstr(limit, message) != NULL, "%s", limit);
}

Test(app_watch, an_app_that_already_runs_is_not_reported)
{
    struct dj_app_watch watch = {.app = "org.example"};
    cr_expect_str_eq(update_watch(&watch, &one), "");
    cr_expect_str_eq(update_watch(&watch, &one), "");
    cr_expect(watch.state == DJ_APP_RECORDED && watch.runs && watch.pid == 77);
    expect_limit(&watch, true, NULL);
    expect_limit(&watch, false, "org.example: the app had none during the capture");
}

Test(app_watch, start_and_end_of_an_app_are_reported)
{
    struct dj_app_watch watch = {.app = "org.example.none"};
    cr_expect(strstr(update_watch(&watch, &none),
                     "no process has the name org.example.none") != NULL,
              "%s", watch.message);
    cr_expect(watch.state == DJ_APP_ABSENT && !watch.runs);
    expect_limit(&watch, false, "no process with this name ran");
    cr_expect_str_eq(update_watch(&watch, &none), "", "it is said once");
    process.ended = false;
    cr_expect_str_eq(update_watch(&watch, &one), "org.example.none (pid 77) has started");
    cr_expect_str_eq(update_watch(&watch, &one), "");
    process.ended = true;
    cr_expect_str_eq(update_watch(&watch, &one),
                     "org.example.none (pid 77) has ended; the trace contains its "
                     "activity until then");
    cr_expect_str_eq(update_watch(&watch, &one), "");
    cr_expect(watch.state == DJ_APP_RECORDED && !watch.runs, "what it did is there");
    process = (struct dj_records_process){.pid = 78};
    cr_expect_str_eq(update_watch(&watch, &one), "org.example.none (pid 78) has started",
                     "%s", watch.message);
    process = (struct dj_records_process){.pid = 77};
}

Test(app_watch, one_running_process_of_several_is_enough)
{
    struct dj_records_process two[] = {{.pid = 1}, {.pid = 2, .ended = true}};
    const struct dj_records both = {.processes = two, .count = 2};
    struct dj_app_watch watch = {.app = "org.example"};
    cr_expect_str_eq(update_watch(&watch, &both), "");
    cr_expect(watch.runs && watch.pid == 1);
}

/* A child process runs without the recorder. */
Test(app_watch, an_app_without_the_recorder_is_reported)
{
    char pid[24];
    int ready[2];
    cr_assert(pipe(ready) == 0);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_NAME, "dj-unrecorded");
        ssize_t wrote = write(ready[1], "x", 1);
        (void)wrote;
        pause();
        _exit(0);
    }
    cr_assert(child > 0 && read(ready[0], pid, 1) == 1);
    snprintf(pid, sizeof(pid), "%d", child);
    const char *const names[] = {"dj-unrecorded", pid};
    for (size_t i = 0; i < 2; i++) {
        struct dj_app_watch watch = {.app = names[i]};
        cr_expect(strstr(update_watch(&watch, &none), "runs without dejank's recorder") !=
                      NULL,
                  "%s", watch.message);
        cr_expect(watch.state == DJ_APP_UNRECORDED && watch.pid == child);
        cr_expect_str_eq(update_watch(&watch, &none), "", "it is said once");
        expect_limit(&watch, false, "without dejank's recorder");
    }
    struct dj_app_watch watch = {.app = "dj-unrecorded"};
    update_watch(&watch, &none);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    update_watch(&watch, &none);
    cr_expect(watch.state == DJ_APP_UNRECORDED, "that it ran stays true");
    close(ready[0]);
    close(ready[1]);
}

Test(app_watch, nothing_is_watched_without_an_app)
{
    struct dj_app_watch watch = {.app = NULL};
    cr_expect_str_eq(update_watch(&watch, &none), "");
    cr_expect(watch.state == DJ_APP_ANY);
    expect_limit(&watch, false, NULL);
}

Test(app_watch, a_process_is_found_by_pid_program_or_name)
{
    static const char programs[] = "/usr/bin/gallery\0./tool\0";
    struct dj_running_thread threads[] = {
        {.tid = 5, .pid = 5, .name = "worker-process-", .program = SIZE_MAX},
        {.tid = 10, .pid = 10, .name = "gal-main", .program = 0},
        {.tid = 11, .pid = 10, .name = "painter", .program = SIZE_MAX},
        {.tid = 20, .pid = 20, .name = "tool", .program = 17},
    };
    const struct dj_running running = {
        .threads = threads,
        .count = 4,
        .programs = {.data = (char *)programs, .length = sizeof(programs) - 1}};
    static const struct {
        const char *app;
        int32_t pid;
    } cases[] = {
        {"gallery", 10},
        {"gal-main", 10},
        {"tool", 20},
        {"20", 20},
        {"11", 0},
        {"painter", 0},
        {"gal", 0},
        {"gallery2", 0},
        {"", 0},
        {"10x", 0},
        {"worker-process-of-long-name", 5},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cr_expect(dj_app_watch_find(&running, cases[i].app) == cases[i].pid, "%s",
                  cases[i].app);
    }
}
