#include "device/facts.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/facts/readers.h"

static struct dj_device_facts facts;

static void begin(void)
{
    dj_facts_init(&facts);
}

TestSuite(facts, .init = begin);

static void feed(void (*read)(struct dj_device_facts *, const char *, size_t),
                 const char *text)
{
    read(&facts, text, strlen(text));
}

static void near(double value, double expected)
{
    cr_assert(fabs(value - expected) < 0.001, "%g is not %g", value, expected);
}

/* ---- facts without output stay unknown */

static void expect_unknown(void)
{
    struct dj_device_facts fresh;
    dj_facts_init(&fresh);
    cr_assert_eq(facts.api, -1);
    cr_assert_eq(facts.width_px, -1);
    cr_assert_eq(facts.density_dpi, -1);
    cr_assert_eq(facts.ram_bytes, -1);
    cr_assert_eq(facts.cores, -1);
    cr_assert_eq(facts.cpu_max_hz, -1);
    cr_assert_eq(facts.battery_pct, -1);
    cr_assert_eq(facts.thermal_status, -1);
    cr_assert_eq(facts.rate_count, 0);
    cr_assert(isnan(facts.refresh_hz) && isnan(facts.battery_c) && isnan(facts.skin_c));
    cr_assert(isnan(facts.load_per_core) && isnan(facts.animation_scale[0]));
    cr_assert_eq(facts.emulator, DJ_KNOWN_UNKNOWN);
    cr_assert_eq(facts.charging, DJ_KNOWN_UNKNOWN);
    cr_assert_eq(facts.screen_on, DJ_KNOWN_UNKNOWN);
    cr_assert_eq(facts.locked, DJ_KNOWN_UNKNOWN);
    cr_assert_eq(facts.low_power, DJ_KNOWN_UNKNOWN);
    cr_assert_eq(facts.developer_options, DJ_KNOWN_UNKNOWN);
    cr_assert_eq(facts.stays_awake, DJ_KNOWN_UNKNOWN);
    cr_assert_str_eq(facts.model, "");
    cr_assert_str_eq(facts.gpu, "");
    cr_assert_str_eq(facts.platform, "");
}

static void (*const readers[])(struct dj_device_facts *, const char *, size_t) = {
    dj_facts_read_getprop, dj_facts_read_wm,      dj_facts_read_settings,
    dj_facts_read_battery, dj_facts_read_thermal, dj_facts_read_power,
    dj_facts_read_policy,  dj_facts_read_display, dj_facts_read_flinger,
    dj_facts_read_linux};
enum { READERS = sizeof(readers) / sizeof(readers[0]) };

Test(facts, missing_facts_stay_unknown)
{
    static const char *const texts[] = {
        "",
        "\n\n\n",
        "Can't find service: battery\n",
        "level: \nscale\nstatus=\n  temperature: x\nPhysical size: 0x0\n",
        "Physical density: \n",
        "[ro.product.model]: []\n[ro.build.version.sdk]: [x]\n[\n[]: [\n]: [\n",
        "Thermal Status: \nTemperature{mValue=, mType=3\nTemperature{mType=3}\n",
        "DisplayDeviceInfo{\"x\": modeId 1, supportedModes [{id=\nDisplayDeviceInfo{",
        "/proc/sys/kernel=\n=\n:\n/sys/devices/system/cpu/present=x\nMemTotal: 0 kB\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        for (size_t k = 0; k < READERS; k++) {
            begin();
            feed(readers[k], texts[i]);
            expect_unknown();
        }
    }
}

Test(facts, random_text_is_read_within_bounds)
{
    static const char words[] =
        "{}[]=:,x \n0123456789.-idmodefps modeId DisplayDeviceInfo{"
        "Temperature{mValue=mType=3level: scale: /sys/class/";
    srand(11);
    for (int round = 0; round < 20000; round++) {
        size_t length = (size_t)rand() % 120;
        /* AddressSanitizer detects a read after the end of this block. */
        char *text = malloc(length + 1);
        for (size_t i = 0; i < length; i++) {
            text[i] = words[(size_t)rand() % (sizeof(words) - 1)];
        }
        for (size_t k = 0; k < READERS; k++) {
            readers[k](&facts, text, length);
        }
        free(text);
    }
}

/* ---- model and release */

Test(facts, properties_are_parsed)
{
    feed(dj_facts_read_getprop,
         "[dalvik.vm.heapsize]: [512m]\n"
         "[ro.board.platform]: [gs101]\r\n"
         "[ro.build.fingerprint]: [google/oriole/oriole:14/AP1A/1:user/release-keys]\n"
         "[ro.build.version.release]: [14]\n"
         "[ro.build.version.sdk]: [34]\n"
         "[ro.build.version.security_patch]: [2024-03-05]\n"
         "[ro.kernel.qemu]: [0]\n"
         "[ro.product.manufacturer]: [Google]\n"
         "[ro.product.model]: [Pixel 6]\n");
    cr_assert_str_eq(facts.platform, "android");
    cr_assert_str_eq(facts.manufacturer, "Google");
    cr_assert_str_eq(facts.model, "Pixel 6");
    cr_assert_str_eq(facts.release, "14");
    cr_assert_str_eq(facts.security_patch, "2024-03-05");
    cr_assert_str_eq(facts.cpu, "gs101");
    cr_assert_eq(facts.api, 34);
    cr_assert_eq(facts.emulator, DJ_KNOWN_NO);
}

Test(facts, emulators_are_recognized)
{
    static const char *const marks[] = {
        "[ro.kernel.qemu]: [1]\n", "[ro.boot.qemu]: [1]\n", "[ro.hardware]: [ranchu]\n",
        "[ro.hardware]: [goldfish]\n"};
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        char text[200];
        begin();
        snprintf(text, sizeof(text), "%s[ro.build.version.sdk]: [30]\n", marks[i]);
        feed(dj_facts_read_getprop, text);
        cr_assert_eq(facts.emulator, DJ_KNOWN_YES, "%s", marks[i]);
    }
}

Test(facts, hostile_names_are_made_safe)
{
    feed(dj_facts_read_getprop, "[ro.product.model]: [\x1b[2Jevil\xff]\n");
    cr_assert(strchr(facts.model, '\x1b') == NULL);
    cr_assert(strstr(facts.model, "\\x1b") != NULL);
}

Test(facts, overrides_of_size_and_density_are_used)
{
    feed(dj_facts_read_wm, "Physical size: 1080x2400\n");
    cr_assert_eq(facts.width_px, 1080);
    cr_assert_eq(facts.height_px, 2400);
    feed(dj_facts_read_wm, "Physical size: 1440x3120\r\nOverride size: 1080x2340\r\n");
    cr_assert_eq(facts.width_px, 1080);
    cr_assert_eq(facts.height_px, 2340);
    feed(dj_facts_read_wm, "Physical density: 420\nOverride density: 360\n");
    cr_assert_eq(facts.density_dpi, 360);
}

/* ---- state */

Test(facts, the_battery_of_android_5_is_parsed)
{
    feed(dj_facts_read_battery,
         "Current Battery Service state:\n  AC powered: false\n"
         "  USB powered: true\n  Wireless powered: false\n  status: 2\n"
         "  health: 2\n  present: true\n  level: 87\n  scale: 100\n"
         "  voltage: 4211\n  temperature: 281\n  technology: Li-ion\n");
    cr_assert_eq(facts.battery_pct, 87);
    near(facts.battery_c, 28.1);
    cr_assert_eq(facts.charging, DJ_KNOWN_YES);
}

Test(facts, the_battery_of_android_14_is_parsed)
{
    feed(dj_facts_read_battery,
         "Current Battery Service state:\n  AC powered: false\n"
         "  USB powered: false\n  Wireless powered: false\n"
         "  Dock powered: false\n  Max charging current: 0\n"
         "  Charge counter: 1234000\n  status: 3\n  health: 2\n"
         "  present: true\n  level: 50\n  scale: 200\n  voltage: 3911\n"
         "  temperature: -52\n  technology: Li-ion\n  Charging state: 0\n");
    cr_assert_eq(facts.battery_pct, 25);
    near(facts.battery_c, -5.2);
    cr_assert_eq(facts.charging, DJ_KNOWN_NO);
}

Test(facts, current_temperatures_replace_cached_ones)
{
    feed(dj_facts_read_thermal,
         "IsStatusOverride: false\nThermal Status: 2\nCached temperatures:\n"
         "\tTemperature{mValue=45.0, mType=3, mName=skin, mStatus=2}\n"
         "HAL Ready: true\nCurrent temperatures from HAL:\n"
         "\tTemperature{mValue=71.5, mType=0, mName=CPU0, mStatus=0}\n"
         "\tTemperature{mValue=36.25, mType=3, mName=skin, mStatus=0}\n"
         "\tTemperature{mValue=33.0, mType=3, mName=skin2, mStatus=0}\n"
         "Current cooling devices from HAL:\n");
    cr_assert_eq(facts.thermal_status, 2);
    near(facts.skin_c, 36.25);
}

Test(facts, the_state_of_the_screen_is_parsed)
{
    feed(dj_facts_read_power, "POWER MANAGER (dumpsys power)\n\nPower Manager State:\n"
                              "  mWakefulness=Awake\n  mLowPowerModeEnabled=false\n"
                              "\nDisplay Power: state=ON\n");
    cr_assert_eq(facts.screen_on, DJ_KNOWN_YES);
    cr_assert_eq(facts.low_power, DJ_KNOWN_NO);
    feed(dj_facts_read_power, "  mWakefulness=Dozing\n");
    cr_assert_eq(facts.screen_on, DJ_KNOWN_NO);
    feed(dj_facts_read_power, "  mWakefulness=Awake\nDisplay Power: state=OFF\n");
    cr_assert_eq(facts.screen_on, DJ_KNOWN_NO);
}

Test(facts, the_lock_screen_is_found_on_all_releases)
{
    feed(dj_facts_read_policy, "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n"
                               "    mShowingLockscreen=true mShowingDream=false\n");
    cr_assert_eq(facts.locked, DJ_KNOWN_YES);
    feed(dj_facts_read_policy, "    KeyguardServiceDelegate\n      showing=false\n"
                               "      showingAndNotOccluded=true\n");
    cr_assert_eq(facts.locked, DJ_KNOWN_NO);
    feed(dj_facts_read_policy,
         "    KeyguardServiceDelegate\n      showing=true\n"
         "      occluded=false\n    screenState=SCREEN_STATE_OFF\n");
    cr_assert_eq(facts.locked, DJ_KNOWN_YES);
    cr_assert_eq(facts.screen_on, DJ_KNOWN_NO, "no other line has it");
    feed(dj_facts_read_policy, "      isKeyguardShowing=false\n");
    cr_assert_eq(facts.locked, DJ_KNOWN_NO);
}

Test(facts, settings_are_parsed)
{
    feed(dj_facts_read_settings,
         "animator_duration_scale=0.5\nlow_power=1\n"
         "development_settings_enabled=0\nstay_on_while_plugged_in=3\n"
         "transition_animation_scale=10.0\n");
    near(facts.animation_scale[0], 1); /* This scale was never set. */
    near(facts.animation_scale[1], 10);
    near(facts.animation_scale[2], 0.5);
    cr_assert_eq(facts.low_power, DJ_KNOWN_YES);
    cr_assert_eq(facts.developer_options, DJ_KNOWN_NO);
    cr_assert_eq(facts.stays_awake, DJ_KNOWN_YES);
}

static void expect_rates(size_t count, const double *rates)
{
    cr_assert_eq(facts.rate_count, count, "%zu", facts.rate_count);
    for (size_t i = 0; i < count; i++) {
        cr_assert(fabs(facts.rates_hz[i] - rates[i]) < 0.01);
    }
}

Test(facts, the_display_of_android_5_is_parsed)
{
    feed(dj_facts_read_display,
         "Display Devices: size=1\n  DisplayDeviceInfo{\"Built-in Screen\": "
         "uniqueId=\"local:0\", 1080 x 1920, 60.0 fps, supportedRefreshRates [60.0], "
         "density 480, 442.451 x 443.345 dpi, appVsyncOff 7500000, state ON}\n");
    near(facts.refresh_hz, 60);
    expect_rates(1, (const double[]){60});
}

Test(facts, the_display_of_android_10_is_parsed)
{
    feed(dj_facts_read_display,
         "  DisplayDeviceInfo{\"Built-in Screen\": uniqueId=\"local:0\", 1440 x 3040, "
         "modeId 2, defaultModeId 1, supportedModes [{id=1, width=1440, height=3040, "
         "fps=60.000004}, {id=2, width=1440, height=3040, fps=90.0}], colorMode 0}\n"
         "    mActiveModeId=2\n"
         "  DisplayDeviceInfo{\"HDMI Screen\": modeId 3, supportedModes [{id=3, "
         "width=1920, height=1080, fps=30.0}]}\n");
    near(facts.refresh_hz, 90);
    expect_rates(2, (const double[]){60, 90});
}

Test(facts, lists_inside_modes_of_android_14_are_ignored)
{
    feed(dj_facts_read_display,
         "  DisplayDeviceInfo{\"Built-in Screen\": uniqueId=\"local:46\", 1080 x 2400, "
         "modeId 1, renderFrameRate 60.000004, defaultModeId 1, supportedModes [{id=1, "
         "width=1080, height=2400, fps=60.000004, vsync=60.000004, "
         "alternativeRefreshRates=[90.0], supportedHdrTypes=[2, 3, 4]}, {id=2, "
         "width=1080, height=2400, fps=90.0, alternativeRefreshRates=[60.000004]}], "
         "state ON}\n    mActiveModeId=1\n"
         "    mBaseDisplayInfo=DisplayInfo{\"Built-in Screen\", displayId 0, real 1080 x "
         "2400, mode 1, renderFrameRate 45.0, defaultMode 1, modes [{id=1, width=1080, "
         "height=2400, fps=60.000004, alternativeRefreshRates=[90.0]}]}\n");
    near(facts.refresh_hz, 45);
    expect_rates(2, (const double[]){60, 90});
}

Test(facts, the_gpu_is_found_in_the_output_of_surface_flinger)
{
    feed(dj_facts_read_flinger,
         "Build configuration: [sf]\n  refresh-rate              : "
         "59.940060 fps\nGLES: Qualcomm, Adreno (TM) 650, OpenGL ES "
         "3.2 V@0502.0\nGLES: not this one\n");
    cr_assert_str_eq(facts.gpu, "Qualcomm, Adreno (TM) 650, OpenGL ES 3.2 V@0502.0");
    near(facts.refresh_hz, 59.940);
}

/* ---- Linux */

Test(facts, facts_of_a_linux_laptop_are_parsed)
{
    feed(
        dj_facts_read_linux,
        "/proc/sys/kernel/osrelease=6.1.0-18-amd64\n/proc/loadavg=2.00 1.5 1.2 3/900 77\n"
        "/sys/devices/system/cpu/present=0-3,8-11\n"
        "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq=3400000\n"
        "/sys/devices/system/cpu/cpu8/cpufreq/cpuinfo_max_freq=4700000\n"
        "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor=powersave\n"
        "/sys/devices/system/cpu/cpu8/cpufreq/scaling_governor=performance\n"
        "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver=acpi-cpufreq\n"
        "/sys/class/thermal/thermal_zone0/temp=41000\n"
        "/sys/class/thermal/thermal_zone1/temp=57500\n"
        "/sys/class/thermal/thermal_zone2/temp=0\n"
        "/sys/class/power_supply/AC/type=Mains\n/sys/class/power_supply/BAT0/"
        "type=Battery\n"
        "/sys/class/power_supply/BAT0/capacity=76\n"
        "/sys/class/power_supply/BAT0/status=Discharging\n"
        "/sys/class/drm/card0-DP-1/status=disconnected\n"
        "/sys/class/drm/card0-eDP-1/status=connected\n"
        "/sys/class/drm/card0-eDP-1/dpms=On\n/sys/class/drm/card0-DP-1/dpms=Off\n"
        "/sys/class/drm/card0-eDP-1/modes=1920x1200\n"
        "/sys/class/dmi/id/sys_vendor=LENOVO\n/sys/class/dmi/id/product_name=20XYS\n"
        "/proc/meminfo:MemTotal:       16123456 kB\n"
        "/etc/os-release:PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"
        "/sys/class/drm/card0/device/uevent:DRIVER=i915\n"
        "/sys/class/drm/card0/device/uevent:PCI_ID=8086:9A49\n"
        "/proc/cpuinfo:model name\t: 11th Gen Intel(R) Core(TM) i7 @ 3.00GHz\n");
    cr_assert_str_eq(facts.platform, "linux");
    cr_assert_str_eq(facts.kernel, "6.1.0-18-amd64");
    cr_assert_str_eq(facts.release, "Debian GNU/Linux 12 (bookworm)");
    cr_assert_str_eq(facts.manufacturer, "LENOVO");
    cr_assert_str_eq(facts.model, "20XYS");
    cr_assert_str_eq(facts.cpu, "11th Gen Intel(R) Core(TM) i7 @ 3.00GHz");
    cr_assert_str_eq(facts.gpu, "i915 8086:9A49");
    cr_assert_str_eq(facts.governor, "powersave,performance");
    cr_assert_eq(facts.cores, 8);
    cr_assert_eq(facts.cpu_max_hz, INT64_C(4700000000));
    cr_assert_eq(facts.ram_bytes, INT64_C(16123456) * 1024);
    near(facts.load_per_core, 0.25);
    near(facts.skin_c, 57.5);
    cr_assert_eq(facts.battery_pct, 76);
    cr_assert_eq(facts.charging, DJ_KNOWN_NO);
    cr_assert_eq(facts.screen_on, DJ_KNOWN_YES);
    cr_assert_eq(facts.width_px, 1920);
    cr_assert_eq(facts.height_px, 1200);
    cr_assert_eq(facts.emulator, DJ_KNOWN_UNKNOWN);
}

Test(facts, the_battery_of_a_mouse_is_ignored)
{
    feed(dj_facts_read_linux, "/proc/sys/kernel/osrelease=6.1\n"
                              "/sys/class/power_supply/hid-mouse/type=Battery\n"
                              "/sys/class/power_supply/hid-mouse/scope=Device\n"
                              "/sys/class/power_supply/hid-mouse/capacity=5\n");
    cr_assert_eq(facts.battery_pct, -1);
}

Test(facts, android_takes_precedence_over_its_kernel)
{
    feed(dj_facts_read_getprop,
         "[ro.build.version.sdk]: [34]\n[ro.product.model]: [P]\n");
    facts.battery_pct = 50;
    feed(dj_facts_read_linux, "/proc/sys/kernel/osrelease=5.10.1\n"
                              "/sys/class/power_supply/battery/type=Battery\n"
                              "/sys/class/power_supply/battery/capacity=3\n"
                              "/sys/class/thermal/thermal_zone3/temp=88000\n"
                              "/sys/class/dmi/id/product_name=x\n"
                              "/etc/os-release:PRETTY_NAME=Other\n");
    cr_assert_str_eq(facts.platform, "android");
    cr_assert_str_eq(facts.model, "P");
    cr_assert_eq(facts.battery_pct, 50);
    cr_assert(isnan(facts.skin_c), "a phone's zones are its chips', not its case's");
    cr_assert_str_eq(facts.release, "");
}

Test(facts, facts_of_this_machine_are_plausible)
{
    struct dj_device *device;
    struct dj_error err = {0};
    cr_assert_eq(dj_device_open("local:", &device, NULL), 0);
    cr_assert_eq(dj_device_read_facts(device, &facts, &err), 0, "%s", err.message);
    dj_device_close(device);
    cr_assert_str_eq(facts.state, "local");
    cr_assert_str_eq(facts.platform, "linux");
    cr_assert_gt(facts.cores, 0);
    cr_assert_gt(facts.ram_bytes, INT64_C(1) << 20);
    cr_assert_neq(facts.kernel[0], '\0');
    cr_assert_geq(facts.load_per_core, 0);
    cr_assert_gt(facts.asked_ns, 0);
}

/* ---- obstacles */

static struct dj_device_obstacle obstacles[DJ_OBSTACLES_MAX];
static size_t count;

static const struct dj_device_obstacle *find(const char *name)
{
    count = dj_device_find_obstacles("it's $(one)", &facts, obstacles);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(obstacles[i].name, name) == 0) {
            return &obstacles[i];
        }
    }
    return NULL;
}

static void begin_phone(void)
{
    begin();
    snprintf(facts.state, sizeof(facts.state), "device");
    snprintf(facts.platform, sizeof(facts.platform), "android");
    facts.api = 34;
}

TestSuite(obstacles, .init = begin_phone);

Test(obstacles, unknown_facts_are_no_obstacles)
{
    cr_assert_null(find("screen-off"));
    cr_assert_eq(count, 0);
}

Test(obstacles, obstacles_have_the_command_that_removes_them)
{
    facts.screen_on = DJ_KNOWN_NO;
    facts.locked = DJ_KNOWN_YES;
    facts.animation_scale[0] = 0;
    facts.animation_scale[1] = 1;
    facts.animation_scale[2] = 0.5;
    facts.low_power = DJ_KNOWN_YES;
    facts.battery_pct = 9;
    facts.thermal_status = 3;
    facts.emulator = DJ_KNOWN_YES;
    facts.developer_options = DJ_KNOWN_NO;
    facts.stays_awake = DJ_KNOWN_NO;
    cr_assert_str_eq(find("screen-off")->command,
                     "adb -s 'it'\\''s $(one)' shell input keyevent 224");
    cr_assert_str_eq(find("locked")->command,
                     "adb -s 'it'\\''s $(one)' shell wm dismiss-keyguard");
    cr_assert_str_eq(find("animation-scale")->command,
                     "adb -s 'it'\\''s $(one)' shell 'settings put global "
                     "window_animation_scale 1; settings put global "
                     "animator_duration_scale 1'");
    cr_assert_not_null(find("low-power"));
    cr_assert_str_eq(find("battery-low")->command, "");
    cr_assert_not_null(find("hot"));
    cr_assert_not_null(find("emulator"));
    cr_assert_not_null(find("developer-options"));
    cr_assert_not_null(find("screen-timeout"));
    cr_assert_eq(count, 9);
    cr_assert(obstacles[0].blocks && obstacles[1].blocks && !obstacles[2].blocks);
}

Test(obstacles, states_of_adb_are_obstacles)
{
    static const struct {
        const char *state, *name, *command;
    } table[] = {
        {"unauthorized", "unauthorized", ""},
        {"offline", "offline", "adb reconnect offline"},
        {"no permissions", "no-permissions",
         "sudo apt-get install android-sdk-platform-tools-common"},
        {"recovery", "recovery", "adb -s 'it'\\''s $(one)' reboot"},
        {"unheard of", "state", ""},
    };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        snprintf(facts.state, sizeof(facts.state), "%s", table[i].state);
        facts.screen_on = DJ_KNOWN_NO;
        const struct dj_device_obstacle *found = find(table[i].name);
        cr_assert_not_null(found, "%s", table[i].state);
        cr_assert_str_eq(found->command, table[i].command);
        cr_assert(found->blocks);
        cr_assert_eq(count, 1, "what it was before says nothing");
    }
}

Test(obstacles, linux_devices_have_their_own_obstacles)
{
    snprintf(facts.platform, sizeof(facts.platform), "linux");
    facts.api = -1;
    cr_assert(find("no-dumpsys")->blocks);
    snprintf(facts.dumpsys, sizeof(facts.dumpsys), "dejank 0.1.0");
    snprintf(facts.governor, sizeof(facts.governor), "powersave");
    snprintf(facts.cpufreq, sizeof(facts.cpufreq), "acpi-cpufreq");
    facts.load_per_core = 1.5;
    facts.skin_c = 95;
    cr_assert_null(find("no-dumpsys"));
    cr_assert_not_null(find("governor"));
    cr_assert_not_null(find("busy"));
    cr_assert_not_null(find("hot"));
    snprintf(facts.cpufreq, sizeof(facts.cpufreq), "intel_pstate");
    cr_assert_null(find("governor"), "its powersave is not slow");
}
