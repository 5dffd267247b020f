#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "memory/memory.h"
#include "report/devices.h"
#include "support.h"

static struct dj_inquired_device devices[3];

/* A device in this state with all facts unknown. */
static struct dj_inquired_device *add_device(size_t index, const char *name,
                                             const char *state)
{
    struct dj_inquired_device *device = &devices[index];
    dj_facts_init(&device->facts);
    snprintf(device->name, sizeof(device->name), "%s", name);
    snprintf(device->facts.state, sizeof(device->facts.state), "%s", state);
    return device;
}

static void add_obstacle(struct dj_inquired_device *device, bool blocks, const char *name,
                         const char *says, const char *command)
{
    struct dj_device_obstacle *obstacle = &device->obstacles[device->obstacle_count++];
    obstacle->blocks = blocks;
    snprintf(obstacle->name, sizeof(obstacle->name), "%s", name);
    snprintf(obstacle->says, sizeof(obstacle->says), "%s", says);
    snprintf(obstacle->command, sizeof(obstacle->command), "%s", command);
}

static struct dj_inquired_device *add_phone(size_t index)
{
    struct dj_inquired_device *phone = add_device(index, "R58N", "device");
    struct dj_device_facts *facts = &phone->facts;
    snprintf(facts->manufacturer, sizeof(facts->manufacturer), "Google");
    snprintf(facts->model, sizeof(facts->model), "Pixel 7");
    snprintf(facts->release, sizeof(facts->release), "14");
    snprintf(facts->gpu, sizeof(facts->gpu), "ARM, Mali-G710, OpenGL ES 3.2");
    facts->api = 34;
    facts->refresh_hz = 90;
    facts->rates_hz[0] = 60;
    facts->rates_hz[1] = 90;
    facts->rate_count = 2;
    facts->width_px = 1080;
    facts->height_px = 2400;
    facts->battery_pct = 87;
    facts->charging = DJ_KNOWN_YES;
    facts->skin_c = 30.4;
    facts->screen_on = DJ_KNOWN_YES;
    return phone;
}

static void expect_devices(size_t count, int width, const char *expected)
{
    struct dj_document document = {0};
    dj_report_build_devices(&document, devices, count);
    expect_document(&document, width, expected);
}

Test(devices, facts_are_in_two_tables)
{
    add_phone(0);
    expect_devices(1, 80,
                   "1 device is ready\n\n"
                   "device  state  model           release              display, Hz\n"
                   "R58N    ready  Google Pixel 7  Android 14 (API 34)  90 of 60/90\n\n"
                   "hardware and present state\n"
                   "device  display    GPU        battery  temperature  screen\n"
                   "R58N    1080x2400  Mali-G710    87 %+     30 deg C  on\n");
}

Test(devices, unknown_facts_have_no_column)
{
    add_device(0, "local:", "local");
    expect_devices(1, 80, "1 device is ready\n\ndevice  state\nlocal:  ready\n");
}

Test(devices, a_blocked_device_is_named_with_the_command_that_helps)
{
    struct dj_inquired_device *phone = add_phone(0);
    add_obstacle(phone, true, "screen-off", "the screen is off", "adb shell wake");
    add_obstacle(phone, false, "low-power", "battery saver is on", "");
    add_device(1, "local:", "local");
    memset(phone->facts.gpu, 0, sizeof(phone->facts.gpu));
    struct dj_document document = {0};
    dj_report_build_devices(&document, devices, 2);
    cr_expect_str_eq(document.blocks[0].text,
                     "1 device is ready, 1 needs attention: R58N (screen off)");
    cr_expect_eq(document.blocks[0].tone, DJ_TONE_WARNING);
    const struct dj_block *last = &document.blocks[document.block_count - 1];
    cr_expect_eq(last->kind, DJ_BLOCK_COMMAND);
    cr_expect_str_eq(last->text, "adb shell wake");
    cr_expect_str_eq(last->label, "fixes: screen off");
    cr_expect_str_eq(document.blocks[2].text, "R58N — the screen is off");
    cr_expect_str_eq(document.blocks[3].text,
                     "R58N — battery saver is on; figures may be worse");
    dj_document_finish(&document);
}

Test(devices, no_device_is_ready)
{
    add_obstacle(add_device(0, "a", "offline"), true, "offline", "no answer", "");
    add_obstacle(add_device(1, "b", "unauthorized"), true, "unauthorized", "no key", "");
    devices[2] = devices[0];
    devices[2].error.code = DJ_E_TIMEOUT;
    expect_devices(
        3, 80,
        "No device is ready, 3 need attention: a (offline), b (unauthorized), a\n"
        "  (offline)\n\n"
        "device  state\n"
        "a       not ready: offline\n"
        "b       not ready: unauthorized\n"
        "a       not ready: silent\n\n"
        "* a - no answer\n* b - no key\n* a - no answer\n");
}

Test(devices, no_device_at_all)
{
    expect_devices(0, 80, "No device is connected\n");
}

Test(devices, an_event_is_a_line_and_its_obstacles)
{
    struct dj_text text = {0};
    struct dj_inquired_device *phone = add_phone(0);
    add_obstacle(phone, true, "screen-off", "the screen is off", "adb shell wake");
    add_obstacle(phone, false, "low-power", "battery saver is on", "");
    dj_report_device_event_text(&text, "added", phone);
    cr_expect_str_eq(dj_text_get(&text),
                     "added R58N device Google Pixel 7, Android 14 (API 34)\n"
                     "  not ready: the screen is off\n"
                     "    fix: adb shell wake\n"
                     "  note: battery saver is on\n");
    dj_text_finish(&text);
}
