#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "script/script.h"

/* A device with a clock that advances by a second at each reading. */
struct fake {
    struct dj_device base;
    int64_t now_ns;
    int shell_code; /* Error code of its shell. */
    int shells;
};

static int fake_shell(struct dj_device *device, const char *const *argv,
                      int64_t timeout_ns, struct dj_device_result *result,
                      struct dj_error *err)
{
    struct fake *fake = (struct fake *)device;
    (void)timeout_ns;
    fake->shells++;
    if (fake->shell_code != 0) {
        return dj_error_set(err, fake->shell_code, "fake: it broke");
    }
    dj_text_add(&result->out, argv[0]);
    return 0;
}

static int fake_clock(struct dj_device *device, int64_t *dev_ns, int64_t *uncertainty_ns,
                      struct dj_error *err)
{
    struct fake *fake = (struct fake *)device;
    (void)err;
    fake->now_ns += DJ_SECOND_NS;
    *dev_ns = fake->now_ns;
    *uncertainty_ns = fake->now_ns / 1000;
    return 0;
}

static const struct dj_device_ops fake_ops = {.shell = fake_shell, .clock = fake_clock};

static char path[] = "/tmp/dejank-driver-XXXXXX";
static struct dj_driver driver;
static struct fake fake;

static void make_driver(const char *text)
{
    static const char *const args[] = {"word"};
    int file = mkstemp(path);
    cr_assert_geq(file, 0);
    cr_assert_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    struct dj_script_options options = {.file = path, .args = args, .arg_count = 1};
    struct dj_error err = {0};
    cr_assert_eq(dj_script_init_driver(&options, &driver, &err), 0, "%s", err.message);
    fake = (struct fake){.base = {.ops = &fake_ops, .name = "fake:1"}};
}

static void finish(void)
{
    dj_script_driver_finish(&driver);
    unlink(path);
}

TestSuite(driver, .fini = finish, .timeout = 30);

static int drive(struct dj_drive_log *log, struct dj_error *err)
{
    int code = driver.prepare(driver.self, &fake.base, err);
    return code != 0 ? code : driver.drive(driver.self, &fake.base, log, err);
}

Test(driver, windows_use_the_device_clock)
{
    make_driver(
        "local d = MonkeyRunner.waitForConnection(1, 'fake:\\\\d')\n"
        "dejank.window{name = 'first', function() end}\n"
        "local w, a, b = dejank.window{device = d, package = 'not.read', f = "
        "function(x)\n"
        "  assert(x == d) return 1, 2 end}\n"
        "assert(a == 1 and b == 2 and w.start_ns == 3000000000 and w.frames == nil)\n"
        "print(..., 'printed')");
    struct dj_drive_log log = {0};
    struct dj_error err = {0};
    cr_assert_eq(drive(&log, &err), 0, "%s", err.message);
    cr_assert_eq(log.outcome, DJ_RUN_OK, "%s", log.reason);
    cr_assert_eq(log.window_count, 2);
    cr_assert_str_eq(log.windows[0].name, "first");
    cr_assert_eq(log.windows[0].span.start_ns, 1 * DJ_SECOND_NS);
    cr_assert_eq(log.windows[0].span.end_ns, 2 * DJ_SECOND_NS);
    cr_assert_str_eq(log.windows[1].name, "window");
    cr_assert_eq(log.windows[1].span.end_ns, 4 * DJ_SECOND_NS);
    cr_assert_eq(log.uncertainty_ns, 4 * DJ_SECOND_NS / 1000, "the worst of all");
    cr_assert_str_eq(dj_text_get(&log.stream), "word\tprinted\n");
    cr_assert_eq(fake.shells, 0);
    cr_assert(driver.ends_window);
    dj_drive_log_finish(&log);
}

Test(driver, each_drive_starts_the_script_again)
{
    make_driver("count = (count or 0) + 1\nassert(count == 1)\n"
                "MonkeyRunner.waitForConnection():shell('x')");
    for (int i = 0; i < 3; i++) {
        struct dj_drive_log log = {0};
        cr_assert_eq(drive(&log, NULL), 0);
        cr_assert_eq(log.outcome, DJ_RUN_OK, "%s", log.reason);
        dj_drive_log_finish(&log);
    }
    cr_assert_eq(fake.shells, 3);
}

Test(driver, a_drive_needs_no_preparation)
{
    make_driver("print('here')");
    struct dj_drive_log first = {0}, second = {0};
    cr_assert_eq(driver.drive(driver.self, &fake.base, &first, NULL), 0);
    cr_assert_eq(driver.drive(driver.self, &fake.base, &second, NULL), 0);
    cr_assert_str_eq(dj_text_get(&second.stream), "here\n");
    dj_drive_log_finish(&first);
    dj_drive_log_finish(&second);
}

Test(driver, a_run_has_only_its_own_device)
{
    make_driver("MonkeyRunner.waitForConnection(1, 'other.*')");
    struct dj_drive_log log = {0};
    cr_assert_eq(drive(&log, NULL), 0);
    cr_assert_eq(log.outcome, DJ_RUN_DRIVE_FAILED);
    cr_assert(strstr(log.reason, "within 'dejank run', a script can use only the device "
                                 "of the run: 'fake:1' does not match 'other.*'") != NULL,
              "%s", log.reason);
    dj_drive_log_finish(&log);
}

static void expect_outcome(const char *text, int shell_code, enum dj_run_outcome outcome,
                           int code, const char *reason)
{
    make_driver(text);
    fake.shell_code = shell_code;
    struct dj_drive_log log = {0};
    struct dj_error err = {0};
    cr_assert_eq(drive(&log, &err), code, "%s", err.message);
    cr_assert_eq(log.outcome, outcome, "%s", log.reason);
    cr_assert(strstr(log.reason, reason) != NULL, "%s", log.reason);
    cr_assert(strstr(dj_text_get(&log.stream), reason) != NULL);
    dj_drive_log_finish(&log);
}

#define SHELL "\nMonkeyRunner.waitForConnection():shell('x')"

Test(driver, a_script_error_is_a_failed_run)
{
    expect_outcome("\nerror('on purpose')", 0, DJ_RUN_DRIVE_FAILED, 0, ":2: on purpose");
}

Test(driver, a_nonzero_exit_code_is_a_failed_run)
{
    expect_outcome("os.exit(3)", 0, DJ_RUN_DRIVE_FAILED, 0,
                   "the script ended with exit code 3");
}

Test(driver, exit_without_a_code_is_no_failure)
{
    make_driver("os.exit(0)");
    struct dj_drive_log log = {0};
    cr_assert_eq(drive(&log, NULL), 0);
    cr_assert_eq(log.outcome, DJ_RUN_OK);
    dj_drive_log_finish(&log);
}

Test(driver, a_disconnected_device_is_not_a_script_failure)
{
    expect_outcome(SHELL, DJ_E_GONE, DJ_RUN_DEVICE_GONE, DJ_E_GONE,
                   ":2: shell: fake: it broke");
}

Test(driver, an_interrupt_ends_the_drive)
{
    expect_outcome(SHELL, DJ_E_INTERRUPTED, DJ_RUN_INTERRUPTED, 0, "it broke");
}

Test(driver, other_device_errors_are_failed_runs)
{
    expect_outcome(SHELL, DJ_E_TIMEOUT, DJ_RUN_DRIVE_FAILED, 0, "it broke");
}

Test(driver, an_error_inside_a_window_records_no_window)
{
    make_driver("pcall(dejank.window, {name = 'lost', function() error('x') end})\n"
                "dejank.window{name = 'kept', function() end}");
    struct dj_drive_log log = {0};
    cr_assert_eq(drive(&log, NULL), 0);
    cr_assert_eq(log.window_count, 1);
    cr_assert_str_eq(log.windows[0].name, "kept");
    dj_drive_log_finish(&log);
}

static int ends;

static void note_end(void *user)
{
    ends += *(int *)user;
}

Test(driver, the_end_of_a_window_is_reported)
{
    int one = 1;
    make_driver("for i = 1, 3 do dejank.window{function() end} end");
    struct dj_drive_log log = {.ended = note_end, .user = &one};
    cr_assert_eq(drive(&log, NULL), 0);
    cr_assert_eq(ends, 3);
    dj_drive_log_finish(&log);
}
