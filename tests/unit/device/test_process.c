#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/device.h"

static struct dj_device *device;
static struct dj_text out, err_text;
static struct dj_error err;

static void open_local(void)
{
    cr_assert_eq(dj_device_open("local:", &device, NULL), 0);
}

static void close_local(void)
{
    dj_device_close(device);
    dj_text_finish(&out);
    dj_text_finish(&err_text);
}

TestSuite(process, .init = open_local, .fini = close_local);

#define START(...) start((const char *const[]){__VA_ARGS__, NULL})

static struct dj_device_process *start(const char *const *argv)
{
    struct dj_device_process *process = NULL;
    cr_assert_eq(dj_device_start(device, argv, &process, &err), 0, "%s", err.message);
    cr_assert_eq(dj_device_process_exit_code(process), -1);
    return process;
}

/* Reads to the end and returns the exit code. */
static int finish(struct dj_device_process *process)
{
    bool ended = false;
    int64_t end_ns = dj_host_now_ns() + 20 * DJ_SECOND_NS;
    while (!ended && dj_host_now_ns() < end_ns) {
        cr_assert_eq(
            dj_device_process_read(process, DJ_SECOND_NS, &out, &err_text, &ended, &err),
            0, "%s", err.message);
    }
    cr_assert(ended);
    int code = dj_device_process_exit_code(process);
    dj_device_process_close(process);
    return code;
}

Test(process, stdout_stderr_and_exit_code_are_returned)
{
    cr_assert_eq(finish(START("sh", "-c", "echo out; echo err >&2; exit 9")), 9);
    cr_assert_str_eq(dj_text_get(&out), "out\n");
    cr_assert_str_eq(dj_text_get(&err_text), "err\n");
}

Test(process, output_is_returned_while_it_runs)
{
    struct dj_device_process *process = START("sh", "-c", "echo one; read x; echo $x");
    bool ended = false;
    while (out.length < 4) {
        cr_assert_eq(
            dj_device_process_read(process, DJ_SECOND_NS, &out, &err_text, &ended, &err),
            0);
    }
    cr_assert_not(ended);
    cr_assert_str_eq(dj_text_get(&out), "one\n");
    cr_assert_eq(dj_device_process_write(process, "two\n", 4, &err), 0);
    cr_assert_eq(finish(process), 0);
    cr_assert_str_eq(dj_text_get(&out), "one\ntwo\n");
}

Test(process, no_output_before_the_timeout_is_no_error)
{
    struct dj_device_process *process = START("sleep", "60");
    bool ended = true;
    int64_t start_ns = dj_host_now_ns();
    cr_assert_eq(dj_device_process_read(process, 200 * DJ_MILLISECOND_NS, &out, &err_text,
                                        &ended, &err),
                 0);
    cr_assert_geq(dj_host_now_ns() - start_ns, 200 * DJ_MILLISECOND_NS);
    cr_assert_not(ended);
    cr_assert_eq(out.length + err_text.length, 0);
    dj_device_process_close(process);
    cr_assert_lt(dj_host_now_ns() - start_ns, 20 * DJ_SECOND_NS);
}

Test(process, a_command_sees_the_end_of_its_input)
{
    struct dj_device_process *process = START("cat");
    cr_assert_eq(dj_device_process_write(process, "a\0b", 3, &err), 0);
    cr_assert_eq(dj_device_process_end_input(process, &err), 0);
    cr_assert_eq(dj_device_process_write(process, "c", 1, &err), DJ_E_USAGE);
    cr_assert_eq(finish(process), 0);
    cr_assert_eq(out.length, 3);
    cr_assert_arr_eq(out.data, "a\0b", 3);
}

Test(process, writing_to_a_command_that_does_not_read_times_out)
{
    struct dj_device_process *process =
        START("sh", "-c", "exec <&-; echo shut; sleep 60");
    bool ended = false;
    cr_assert_eq(
        dj_device_process_read(process, 20 * DJ_SECOND_NS, &out, &err_text, &ended, &err),
        0);
    cr_assert_str_eq(dj_text_get(&out), "shut\n");
    cr_assert_eq(dj_device_process_write(process, "x", 1, &err), DJ_E_GONE);
    dj_device_process_close(process);
}

Test(process, a_missing_program_is_an_error)
{
    static const char *const argv[] = {"dejank-no-such-program", NULL};
    struct dj_device_process *process = NULL;
    cr_assert_eq(dj_device_start(device, argv, &process, &err), DJ_E_NOT_FOUND);
    cr_assert_null(process);
    cr_assert(strstr(err.message, "dejank-no-such-program") != NULL);
}

Test(process, a_megabyte_passes_both_ways)
{
    char *bytes = calloc(1, 1 << 20);
    struct dj_device_process *process = START("sh", "-c",
                                              "cat >/dev/null; head -c 1048576 "
                                              "/dev/zero");
    cr_assert_eq(dj_device_process_write(process, bytes, 1 << 20, &err), 0, "%s",
                 err.message);
    cr_assert_eq(dj_device_process_end_input(process, &err), 0);
    cr_assert_eq(finish(process), 0);
    cr_assert_eq(out.length, 1 << 20);
    free(bytes);
}

Test(process, the_maximum_of_a_text_is_respected)
{
    struct dj_device_process *process = START("cat", "/dev/zero");
    bool ended;
    out.maximum = 1 << 20;
    int code = 0;
    while (code == 0) {
        code = dj_device_process_read(process, 20 * DJ_SECOND_NS, &out, &err_text, &ended,
                                      &err);
    }
    cr_assert_eq(code, DJ_E_LIMIT);
    dj_device_process_close(process);
}

static int64_t at_once(void *user)
{
    (void)user;
    return 0;
}

Test(process, an_interrupt_ends_a_reading)
{
    struct dj_device_process *process = START("sleep", "60");
    bool ended;
    device->interrupt.latest_ns = at_once;
    cr_assert_eq(
        dj_device_process_read(process, 60 * DJ_SECOND_NS, &out, &err_text, &ended, &err),
        DJ_E_INTERRUPTED);
    dj_device_process_close(process);
}

Test(process, two_commands_run_at_once)
{
    struct dj_device_process *first = START("cat"), *second = START("cat");
    cr_assert_eq(dj_device_process_write(first, "1", 1, &err), 0);
    cr_assert_eq(dj_device_process_write(second, "2", 1, &err), 0);
    cr_assert_eq(dj_device_process_end_input(second, &err), 0);
    cr_assert_eq(finish(second), 0);
    cr_assert_str_eq(dj_text_get(&out), "2");
    cr_assert_eq(dj_device_process_end_input(first, &err), 0);
    cr_assert_eq(finish(first), 0);
    cr_assert_str_eq(dj_text_get(&out), "21");
}

/* ---- files of this machine */

Test(process, pushed_files_are_complete_or_absent)
{
    char folder[] = "/tmp/dejank-files-XXXXXX", from[64], to[64];
    struct stat status;
    cr_assert_not_null(mkdtemp(folder));
    snprintf(from, sizeof(from), "%s/from", folder);
    snprintf(to, sizeof(to), "%s/to", folder);
    FILE *file = fopen(from, "we");
    cr_assert_eq(fwrite("a\0b", 1, 3, file), 3);
    fclose(file);
    cr_assert_eq(dj_device_push(device, from, to, 0750, &err), 0, "%s", err.message);
    cr_assert_eq(stat(to, &status), 0);
    cr_assert_eq(status.st_mode & 07777, 0750);
    cr_assert_eq(dj_device_pull(device, to, &out, &err), 0);
    cr_assert_eq(out.length, 3);
    cr_assert_arr_eq(out.data, "a\0b", 3);
    cr_assert_eq(dj_device_push(device, "/no/such/file", to, 0644, &err), DJ_E_NOT_FOUND);
    cr_assert_eq(dj_device_push(device, from, "/no/such/folder/x", 0644, &err), DJ_E_IO);
    cr_assert_eq(dj_device_pull(device, "/no/such/file", &out, &err), DJ_E_NOT_FOUND);
    unlink(from);
    unlink(to);
    cr_assert_eq(rmdir(folder), 0, "nothing else was left there");
}

Test(process, the_clock_of_this_machine_is_exact)
{
    int64_t dev_ns = 0, uncertainty_ns = -1, before_ns = dj_host_now_ns();
    cr_assert_eq(dj_device_read_clock(device, &dev_ns, &uncertainty_ns, &err), 0);
    cr_assert_geq(dev_ns, before_ns);
    cr_assert_leq(dev_ns, dj_host_now_ns());
    cr_assert_eq(uncertainty_ns, 0);
}
