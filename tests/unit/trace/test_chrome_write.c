/* Events become Chrome's JSON. That it is JSON is Python's to say:
 * tests/e2e/test_trace_write.py. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/chrome_write.h"
#include "written.h"

static char *text;

static void finish(void)
{
    free(text);
    text = NULL;
}

TestSuite(chrome_write, .fini = finish);

static void write_all(const struct dj_event *events, size_t count)
{
    static const struct dj_trace_origin unknown = {.kernel = NULL};
    struct dj_error err = {0};
    struct dj_chrome *writer;
    int fd = written_open();
    cr_assert_eq(dj_chrome_create(&writer, fd, "it", &unknown, &err), 0);
    struct dj_event_sink sink = dj_chrome_sink(writer);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(sink.take(sink.user, &events[i]), 0);
    }
    cr_assert_eq(dj_chrome_end(writer, &err), 0, "%s", err.message);
    dj_chrome_destroy(writer);
    struct written written = written_take(fd);
    text = (char *)written.bytes;
    text[written.size] = '\0';
}

static void expect(const char *line)
{
    cr_expect_not_null(strstr(text, line), "%s\nis not in\n%s", line, text);
}

Test(chrome_write, a_section_is_of_its_thread)
{
    const struct dj_event events[] = {
        {.kind = DJ_EVENT_BEGIN,
         .cpu = -1,
         .at_ns = 1234567,
         .tid = 5,
         .pid = 4,
         .task = WORDS("ui"),
         .name = WORDS("draw")},
        {.kind = DJ_EVENT_END,
         .cpu = -1,
         .at_ns = 2000000,
         .tid = 5,
         .pid = DJ_PID_UNKNOWN},
    };
    write_all(events, 2);
    expect("{\"ph\":\"M\",\"ts\":0.000,\"pid\":4,\"tid\":5,\"name\":\"thread_name\","
           "\"args\":{\"name\":\"ui\"}}");
    expect("{\"ph\":\"B\",\"ts\":1234.567,\"pid\":4,\"tid\":5,\"name\":\"draw\"}");
    expect("{\"ph\":\"E\",\"ts\":2000.000,\"pid\":4,\"tid\":5}");
}

Test(chrome_write, a_cpu_shows_what_it_ran)
{
    const struct dj_event events[] = {
        {.kind = DJ_EVENT_SWITCH,
         .cpu = 1,
         .at_ns = 1000,
         .tid = 0,
         .other = 7,
         .pid = -1,
         .other_name = WORDS("work")},
        {.kind = DJ_EVENT_WAKING,
         .cpu = 1,
         .at_ns = 2000,
         .tid = 7,
         .other = 8,
         .pid = -1},
        {.kind = DJ_EVENT_SWITCH,
         .cpu = 1,
         .at_ns = 3500,
         .tid = 7,
         .other = 8,
         .pid = -1,
         .state = DJ_TASK_SLEEPING,
         .other_name = WORDS("next")},
        {.kind = DJ_EVENT_WAKEUP,
         .cpu = 0,
         .at_ns = 5000,
         .tid = 9,
         .other = 6,
         .pid = -1},
    };
    write_all(events, 4);
    expect(
        "{\"ph\":\"X\",\"ts\":1.000,\"pid\":2147483647,\"tid\":1,\"dur\":2.500,\"cat\":"
        "\"sched\",\"name\":\"work\",\"args\":{\"tid\":7,\"then\":\"sleeping\"}}");
    expect(
        "{\"ph\":\"X\",\"ts\":3.500,\"pid\":2147483647,\"tid\":1,\"dur\":1.500,\"cat\":"
        "\"sched\",\"name\":\"next\",\"args\":{\"tid\":8}}");
    expect("{\"ph\":\"s\",\"ts\":2.000,\"pid\":2147483647,\"tid\":1,\"cat\":\"sched\","
           "\"name\":\"wake\",\"id\":\"0x1\"}");
    expect("{\"ph\":\"f\",\"ts\":3.500,\"pid\":2147483647,\"tid\":1,\"cat\":\"sched\","
           "\"name\":\"wake\",\"id\":\"0x1\",\"bp\":\"e\"}");
}

Test(chrome_write, async_counters_and_frames)
{
    const struct dj_event_frame frame = {.token = 3,
                                         .layer = WORDS("w"),
                                         .jank_types = 64,
                                         .side = DJ_FRAME_ACTUAL_SURFACE};
    const struct dj_event events[] = {
        {.kind = DJ_EVENT_ASYNC_BEGIN,
         .cpu = -1,
         .at_ns = 1000,
         .tid = 5,
         .pid = 4,
         .name = WORDS("load"),
         .value = 16},
        {.kind = DJ_EVENT_COUNTER,
         .cpu = -1,
         .at_ns = 2000,
         .tid = 5,
         .pid = 4,
         .name = WORDS("fps"),
         .value = -7},
        {.kind = DJ_EVENT_FRAME_BEGIN,
         .cpu = -1,
         .at_ns = 3000,
         .pid = 4,
         .value = 9,
         .frame = &frame},
        {.kind = DJ_EVENT_FRAME_END, .cpu = -1, .at_ns = 4000, .pid = 4, .value = 9},
        {.kind = DJ_EVENT_FREQUENCY, .cpu = 2, .at_ns = 5000, .pid = -1, .value = 800000},
    };
    write_all(events, 5);
    expect("{\"ph\":\"b\",\"ts\":1.000,\"pid\":4,\"tid\":5,\"cat\":\"load\",\"name\":"
           "\"load\",\"id2\":{\"local\":\"0x10\"}}");
    expect("\"name\":\"fps\",\"args\":{\"value\":-7}}");
    expect("\"cat\":\"frame\",\"name\":\"actual\",\"id\":\"0x9\",\"args\":{\"token\":3,"
           "\"layer\":\"w\",\"jank_types\":64,\"on_time\":0}}");
    expect("{\"ph\":\"e\",\"ts\":4.000,\"pid\":4,\"tid\":0,\"cat\":\"frame\",\"name\":"
           "\"actual\",\"id\":\"0x9\"}");
    expect("\"name\":\"CPU 2 frequency\",\"args\":{\"kHz\":800000}}");
}

Test(chrome_write, names_are_escaped)
{
    const struct dj_event event = {.kind = DJ_EVENT_BEGIN,
                                   .cpu = -1,
                                   .tid = 5,
                                   .pid = 4,
                                   .name = WORDS("a\"\\\x01\n\x7f\xff\u00e9")};
    write_all(&event, 1);
    expect("\"name\":\"a\\u0022\\u005c\\u0001\\u000a\\u007f\\ufffd\u00e9\"}");
}

Test(chrome_write, losses_are_said)
{
    const struct dj_event events[] = {
        {.kind = DJ_EVENT_LOST, .cpu = 1, .at_ns = 1000, .value = 5, .pid = -1},
        {.kind = DJ_EVENT_LOST, .cpu = -1, .at_ns = 1000, .pid = -1},
    };
    write_all(events, 2);
    expect("\"name\":\"events lost\",\"args\":{\"events\":5}}");
    expect("\"lost_events\":\"6\"");
}

Test(chrome_write, nothing_is_a_trace_too)
{
    write_all(NULL, 0);
    cr_expect_eq(strncmp(text, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{", 40),
                 0);
    cr_expect_str_eq(text + strlen(text) - 4, "\"}}\n");
}

Test(chrome_write, a_full_disk_is_an_error)
{
    static const struct dj_trace_origin origin = {.kernel = NULL};
    struct dj_error err = {0};
    struct dj_chrome *writer;
    int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        cr_skip_test("there is no /dev/full");
    }
    cr_assert_eq(dj_chrome_create(&writer, fd, "x.json", &origin, &err), 0);
    cr_expect_eq(dj_chrome_end(writer, &err), DJ_E_OUTPUT);
    cr_expect_str_eq(err.message, "cannot write x.json: No space left on device");
    dj_chrome_destroy(writer);
    close(fd);
}
