/* Reads facts from /proc and /sys of any Linux kernel, including Android. */
#include <math.h>
#include <string.h>

#include "base/count_of.h"
#include "base/text.h"
#include "device/facts/readers.h"

/* The shell script that prints the first line of many files. The script uses only
 * builtins of the shell, because starting a program for each file would take long. */
static const char script[] =
    "t() { for f; do v=; { read -r v <\"$f\" || [ -n \"$v\" ]; } 2>/dev/null "
    "&& echo \"$f=$v\"; done; }\n"
    "c=/sys/devices/system/cpu\n"
    "t /proc/sys/kernel/osrelease /proc/loadavg $c/present "
    "$c/cpu[0-9]*/cpufreq/cpuinfo_max_freq $c/cpu[0-9]*/cpufreq/scaling_governor "
    "$c/cpu0/cpufreq/scaling_driver "
    "/sys/class/thermal/thermal_zone*/temp /sys/class/power_supply/*/type "
    "/sys/class/power_supply/*/scope /sys/class/power_supply/*/capacity "
    "/sys/class/power_supply/*/status /sys/class/power_supply/*/online "
    "/sys/class/power_supply/*/temp /sys/class/drm/card*-*/status "
    "/sys/class/drm/card*-*/dpms /sys/class/drm/card*-*/modes "
    "/sys/class/dmi/id/sys_vendor /sys/class/dmi/id/product_name "
    "/sys/firmware/devicetree/base/model /sys/class/kgsl/kgsl-3d0/gpu_model "
    "/sys/class/graphics/fb0/virtual_size\n"
    "l() { while IFS= read -r v; do case $v in $2) echo \"$1:$v\";; esac; done <$1; } "
    "2>/dev/null\n"
    "l /proc/meminfo 'MemTotal:*'\n"
    "l /etc/os-release 'PRETTY_NAME=*'\n"
    "for f in /sys/class/drm/card[0-9]/device/uevent; do l $f '[DP][RC]I*'; done\n"
    "while IFS= read -r v; do case $v in 'model name'*|Hardware*|'hypervisor'*) "
    "echo \"/proc/cpuinfo:$v\"; break;; esac; done </proc/cpuinfo 2>/dev/null\n"
    "while IFS= read -r v; do case $v in flags*hypervisor*) echo hypervisor=1; break;; "
    "flags*) break;; esac; done </proc/cpuinfo 2>/dev/null\n"
    ":\n";

const struct dj_facts_command dj_facts_linux_command = {{"sh", "-c", script},
                                                        dj_facts_read_linux};

struct reading {
    struct dj_device_facts *facts;
    bool android;
    char battery[96]; /* Path of the folder of the battery that powers the device. */
    char output[96];  /* Path of the folder of the connected display. */
    double hottest_c;
};

/* Copies the folder of a path, such as "/sys/class/…/BAT0" for
 * "/sys/class/…/BAT0/type". */
static void copy_folder(struct dj_str path, char *folder, size_t capacity)
{
    const char *slash = memrchr(path.at, '/', path.length);
    size_t length = slash != NULL ? (size_t)(slash - path.at) : 0;
    dj_text_copy_escaped((struct dj_str){path.at, length}, folder, capacity);
}

static bool is_in_folder(struct dj_str path, const char *folder)
{
    char own[96];
    copy_folder(path, own, sizeof(own));
    return folder[0] != '\0' && strcmp(own, folder) == 0;
}

/* Counts the CPUs in a list such as "0-7" or "0-3,8-11". */
static int count_cpus(struct dj_str list)
{
    int64_t first, last, count = 0;
    while (dj_str_int(list, &first)) {
        struct dj_str range = dj_str_until(list, ","), second;
        last = first;
        if (dj_str_after(range, "-", &second)) {
            dj_str_int(second, &last);
        }
        count += last >= first && last - first < 65536 ? last - first + 1 : 0;
        if (!dj_str_after(list, ",", &list)) {
            break;
        }
    }
    return count > 0 && count < 65536 ? (int)count : -1;
}

static void add_governor(struct dj_device_facts *facts, struct dj_str value)
{
    char word[32];
    dj_text_copy_escaped(value, word, sizeof(word));
    size_t length = strlen(facts->governor);
    if (word[0] != '\0' && strstr(facts->governor, word) == NULL &&
        length + strlen(word) + 2 <= sizeof(facts->governor)) {
        snprintf(facts->governor + length, sizeof(facts->governor) - length, "%s%s",
                 length > 0 ? "," : "", word);
    }
}

static void read_cpu(struct reading *reading, struct dj_str path, struct dj_str value)
{
    struct dj_device_facts *facts = reading->facts;
    int64_t khz;
    if (dj_str_ends(path, "/cpu/present")) {
        facts->cores = count_cpus(value);
    } else if (dj_str_ends(path, "/cpuinfo_max_freq") && dj_str_int(value, &khz) &&
               khz > 0 && khz < INT64_MAX / 1000 && khz * 1000 > facts->cpu_max_hz) {
        facts->cpu_max_hz = khz * 1000;
    } else if (dj_str_ends(path, "/scaling_governor")) {
        add_governor(facts, value);
    } else if (dj_str_ends(path, "/scaling_driver")) {
        dj_text_copy_escaped(value, facts->cpufreq, sizeof(facts->cpufreq));
    }
}

/* Reads a file of a power supply. Ignores supplies with scope "Device", because such a
 * supply belongs to a peripheral, for example a mouse. */
static void read_supply(struct reading *reading, struct dj_str path, struct dj_str value)
{
    struct dj_device_facts *facts = reading->facts;
    int64_t number;
    if (dj_str_ends(path, "/type") && dj_str_is(value, "Battery") &&
        reading->battery[0] == '\0') {
        copy_folder(path, reading->battery, sizeof(reading->battery));
    } else if (dj_str_ends(path, "/scope") && dj_str_is(value, "Device") &&
               is_in_folder(path, reading->battery)) {
        reading->battery[0] = '\0';
    }
    if (!is_in_folder(path, reading->battery) || reading->android) {
        return;
    }
    if (dj_str_ends(path, "/capacity") && dj_str_int(value, &number) && number >= 0 &&
        number <= 100) {
        facts->battery_pct = (int)number;
    } else if (dj_str_ends(path, "/status")) {
        dj_facts_set_known(&facts->charging, dj_str_is(value, "Charging") ||
                                                 dj_str_is(value, "Full") ||
                                                 dj_str_is(value, "Not charging"));
    } else if (dj_str_ends(path, "/temp") && dj_str_int(value, &number)) {
        facts->battery_c = (double)number / 10;
    }
}

static void read_output(struct reading *reading, struct dj_str path, struct dj_str value)
{
    struct dj_device_facts *facts = reading->facts;
    if (dj_str_ends(path, "/status") && dj_str_is(value, "connected") &&
        reading->output[0] == '\0') {
        copy_folder(path, reading->output, sizeof(reading->output));
    }
    if (!is_in_folder(path, reading->output)) {
        return;
    }
    if (dj_str_ends(path, "/dpms")) {
        dj_facts_set_known(&facts->screen_on, dj_str_is(value, "On"));
    } else if (dj_str_ends(path, "/modes")) {
        dj_facts_set_size(facts, value);
    }
}

static void read_temperature(struct reading *reading, struct dj_str path,
                             struct dj_str value)
{
    int64_t number;
    (void)path;
    /* The number is in thousandths of a degree. Numbers out of this range are ignored,
     * because some drivers report 0 or an impossible value for an unknown temperature. */
    if (dj_str_int(value, &number) && number > 1000 && number < 150000 &&
        !(reading->hottest_c >= (double)number / 1000)) {
        reading->hottest_c = (double)number / 1000;
    }
}

static void read_machine(struct reading *reading, struct dj_str path, struct dj_str value)
{
    struct dj_device_facts *facts = reading->facts;
    double load;
    if (dj_str_ends(path, "/osrelease")) {
        dj_text_copy_escaped(value, facts->kernel, sizeof(facts->kernel));
    } else if (dj_str_ends(path, "/loadavg") && dj_str_double(value, &load)) {
        facts->load_per_core = load;
    } else if (dj_str_ends(path, "/gpu_model")) {
        dj_text_copy_escaped(value, facts->gpu, sizeof(facts->gpu));
    } else if (dj_str_ends(path, "/sys_vendor") && facts->manufacturer[0] == '\0') {
        dj_text_copy_escaped(value, facts->manufacturer, sizeof(facts->manufacturer));
    } else if ((dj_str_ends(path, "/product_name") || dj_str_ends(path, "/base/model")) &&
               facts->model[0] == '\0') {
        dj_text_copy_escaped(value, facts->model, sizeof(facts->model));
    }
}

/* Parses a line such as "/proc/meminfo:MemTotal: 16384 kB". */
static void read_line(struct reading *reading, struct dj_str line)
{
    struct dj_device_facts *facts = reading->facts;
    struct dj_str value;
    int64_t kib;
    char word[64];
    if (dj_str_after(line, "MemTotal:", &value) && dj_str_int(value, &kib) && kib > 0 &&
        kib < INT64_MAX / 1024) {
        facts->ram_bytes = kib * 1024;
    } else if (dj_str_after(line, "PRETTY_NAME=", &value) && !reading->android) {
        struct dj_str bare = value;
        if (dj_str_begins(value, "\"")) {
            bare = dj_str_until((struct dj_str){value.at + 1, value.length - 1}, "\"");
        }
        dj_text_copy_escaped(bare, facts->release, sizeof(facts->release));
    } else if (dj_str_begins(line, "/proc/cpuinfo:") &&
               !dj_str_after(line, "hypervisor", &value) && facts->cpu[0] == '\0') {
        dj_str_after(line, "cpuinfo:", &value);
        if (dj_str_after(value, ": ", &value)) {
            dj_text_copy_escaped(value, facts->cpu, sizeof(facts->cpu));
        }
    } else if (dj_str_after(line, "uevent:DRIVER=", &value) && facts->gpu[0] == '\0') {
        dj_text_copy_escaped(value, facts->gpu, sizeof(facts->gpu));
    } else if (dj_str_after(line, "uevent:PCI_ID=", &value) && facts->gpu[0] != '\0' &&
               strchr(facts->gpu, ':') == NULL &&
               strlen(facts->gpu) + value.length + 2 < sizeof(facts->gpu)) {
        dj_text_copy_escaped(value, word, sizeof(word));
        size_t length = strlen(facts->gpu);
        snprintf(facts->gpu + length, sizeof(facts->gpu) - length, " %s", word);
    }
}

static void read_value(struct reading *reading, struct dj_str path, struct dj_str value)
{
    static const struct {
        const char *begins;
        void (*note)(struct reading *reading, struct dj_str path, struct dj_str value);
    } kinds[] = {
        {"/sys/devices/system/cpu/", read_cpu},
        {"/sys/class/power_supply/", read_supply},
        {"/sys/class/drm/", read_output},
        {"/sys/class/thermal/", read_temperature},
    };
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (dj_str_begins(path, kinds[i].begins)) {
            kinds[i].note(reading, path, value);
            return;
        }
    }
    read_machine(reading, path, value);
}

void dj_facts_read_linux(struct dj_device_facts *facts, const char *text, size_t length)
{
    struct reading reading = {
        .facts = facts, .android = facts->api > 0, .hottest_c = NAN};
    struct dj_str rest = {text, length}, line, value;
    bool any = false;
    while (dj_str_next_line(&rest, &line)) {
        struct dj_str path = dj_str_until(line, "=:");
        any = any || dj_str_is(path, "/proc/sys/kernel/osrelease");
        if (dj_str_is(line, "hypervisor=1")) {
            facts->emulator = reading.android ? facts->emulator : DJ_KNOWN_YES;
        } else if (path.length < line.length && line.at[path.length] == '=' &&
                   dj_str_after(line, "=", &value)) {
            read_value(&reading, path, value);
        } else {
            read_line(&reading, line);
        }
    }
    if (any && facts->platform[0] == '\0') {
        memcpy(facts->platform, "linux", sizeof("linux"));
    }
    if (facts->cores > 0 && facts->load_per_core >= 0) {
        facts->load_per_core /= facts->cores;
    } else {
        facts->load_per_core = NAN;
    }
    if (!reading.android) {
        facts->skin_c = reading.hottest_c;
    }
}
