/* Reads the state of an Android device from dumpsys: battery, temperature, screen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count_of.h"
#include "base/text.h"
#include "device/facts/readers.h"
#include "stats/order.h"

/* Finds the value in a line of the form "NAME: value" or "NAME=value". */
static bool find_value(struct dj_str line, const char *name, struct dj_str *value)
{
    size_t length = strlen(name);
    if (!dj_str_begins(line, name) || line.length <= length ||
        (line.at[length] != ':' && line.at[length] != '=')) {
        return false;
    }
    *value = (struct dj_str){line.at + length + 1, line.length - length - 1};
    return true;
}

/* Values of BATTERY_STATUS_* in Android's class BatteryManager. */
enum { STATUS_CHARGING = 2, STATUS_FULL = 5 };

struct battery {
    int64_t level, scale, status, temperature;
    bool powered, knows_supply;
};

static void set_battery(struct battery *battery, struct dj_str line)
{
    static const char *const supplies[] = {"AC powered", "USB powered",
                                           "Wireless powered", "Dock powered"};
    struct dj_str value;
    int64_t number;
    for (size_t i = 0; i < COUNT_OF(supplies); i++) {
        if (find_value(line, supplies[i], &value)) {
            battery->knows_supply = true;
            battery->powered = battery->powered ||
                               dj_str_is(dj_str_until(value, " "), "true") ||
                               dj_str_after(value, "true", &value);
        }
    }
    const struct {
        const char *name;
        int64_t *to;
    } numbers[] = {{"level", &battery->level},
                   {"scale", &battery->scale},
                   {"status", &battery->status},
                   {"temperature", &battery->temperature}};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        if (find_value(line, numbers[i].name, &value) && dj_str_int(value, &number)) {
            *numbers[i].to = number;
        }
    }
}

void dj_facts_read_battery(struct dj_device_facts *facts, const char *text, size_t length)
{
    struct battery battery = {
        .level = -1, .scale = 100, .status = -1, .temperature = INT64_MIN};
    struct dj_str rest = {text, length}, line;
    while (dj_str_next_line(&rest, &line)) {
        set_battery(&battery, line);
    }
    if (battery.level >= 0 && battery.scale > 0 && battery.level <= battery.scale &&
        battery.scale < 1000000) {
        facts->battery_pct = (int)(battery.level * 100 / battery.scale);
    }
    if (battery.status >= 0 || battery.knows_supply) {
        dj_facts_set_known(&facts->charging, battery.status == STATUS_CHARGING ||
                                                 battery.status == STATUS_FULL ||
                                                 battery.powered);
    }
    if (battery.temperature != INT64_MIN) {
        facts->battery_c = (double)battery.temperature / 10;
    }
}

/* Parses lines such as "Temperature{mValue=33.2, mType=3, mName=skin, mStatus=0}". Type 3
 * is SKIN. Android prints cached values first and then current values from the HAL. The
 * values that are printed last are used. */
void dj_facts_read_thermal(struct dj_device_facts *facts, const char *text, size_t length)
{
    struct dj_str rest = {text, length}, line, value, type;
    double skin_c = NAN;
    while (dj_str_next_line(&rest, &line)) {
        int64_t number;
        double celsius;
        if (find_value(line, "Thermal Status", &value) && dj_str_int(value, &number)) {
            facts->thermal_status = (int)number;
        }
        if (dj_str_begins(line, "Current temperatures") && skin_c == skin_c) {
            skin_c = NAN;
        }
        if (dj_str_begins(line, "Temperature{") &&
            dj_str_after(line, "mValue=", &value) &&
            dj_str_after(line, "mType=", &type) && dj_str_int(type, &number) &&
            number == 3 && dj_str_double(value, &celsius) && !(skin_c >= celsius)) {
            skin_c = celsius;
            facts->skin_c = celsius;
        }
    }
}

void dj_facts_read_power(struct dj_device_facts *facts, const char *text, size_t length)
{
    struct dj_str rest = {text, length}, line, value;
    while (dj_str_next_line(&rest, &line)) {
        /* The values are Awake, Asleep, Dreaming and Dozing. Before Android 5,
         * mWakefulness had these values too. */
        if (find_value(line, "mWakefulness", &value)) {
            dj_facts_set_known(&facts->screen_on, dj_str_is(value, "Awake"));
        }
        /* The line "Display Power" has the state of the panel, which is more reliable
         * than mWakefulness, the state that the power manager requests. So this state
         * replaces the one from mWakefulness. */
        if (find_value(line, "Display Power", &value) &&
            dj_str_after(value, "state=", &value)) {
            dj_facts_set_known(&facts->screen_on,
                               dj_str_is(dj_str_until(value, " ,"), "ON"));
        }
        if ((find_value(line, "mLowPowerModeEnabled", &value) ||
             find_value(line, "mIsBatterySaverEnabled", &value)) &&
            facts->low_power != DJ_KNOWN_YES) {
            dj_facts_set_known(&facts->low_power, dj_str_is(value, "true"));
        }
    }
}

/* Finds out whether the lock screen is shown. Up to Android 8, the text is
 * "…mShowingLockscreen=true mShowingDream=false…". Since Android 9, the text after
 * KeyguardServiceDelegate is "showing=true". Some manufacturers print
 * "isKeyguardShowing=true". */
void dj_facts_read_policy(struct dj_device_facts *facts, const char *text, size_t length)
{
    static const char *const marks[] = {
        "mShowingLockscreen=", "isKeyguardShowing=", "mKeyguardShowing="};
    struct dj_str rest = {text, length}, line, value;
    bool delegate = false;
    while (dj_str_next_line(&rest, &line)) {
        delegate = delegate || dj_str_begins(line, "KeyguardServiceDelegate");
        if (delegate && find_value(line, "showing", &value)) {
            dj_facts_set_known(&facts->locked, dj_str_is(value, "true"));
            delegate = false;
        }
        for (size_t i = 0; i < COUNT_OF(marks); i++) {
            if (dj_str_after(line, marks[i], &value)) {
                dj_facts_set_known(&facts->locked, dj_str_begins(value, "true"));
            }
        }
        if (facts->screen_on == DJ_KNOWN_UNKNOWN &&
            find_value(line, "screenState", &value)) {
            dj_facts_set_known(&facts->screen_on, dj_str_is(value, "SCREEN_STATE_ON"));
        }
    }
}

static void add_rate(struct dj_device_facts *facts, double hz)
{
    if (!(hz > 1) || !(hz < 10000) || facts->rate_count == DJ_FACTS_RATES) {
        return;
    }
    for (size_t i = 0; i < facts->rate_count; i++) {
        if (fabs(facts->rates_hz[i] - hz) < 0.05) {
            return;
        }
    }
    facts->rates_hz[facts->rate_count++] = hz;
    dj_order_sort(facts->rates_hz, facts->rate_count);
}

/* Parses "{id=1, width=1080, height=2400, fps=60.000004}, {id=2, …}" up to the closing
 * bracket. Adds the refresh rates of all modes, and sets the current rate from the mode
 * whose id is `mode`. */
static void read_modes(struct dj_device_facts *facts, struct dj_str modes, int64_t mode)
{
    struct dj_str one, value;
    modes = dj_str_until(modes, "]");
    while (dj_str_after(modes, "id=", &one)) {
        int64_t id = -1;
        double hz = NAN;
        modes = one;
        one = dj_str_until(one, "}");
        if (dj_str_int(one, &id) &&
            (dj_str_after(one, "fps=", &value) ||
             dj_str_after(one, "vsyncRate=", &value)) &&
            dj_str_double(value, &hz)) {
            add_rate(facts, hz);
            facts->refresh_hz = id == mode ? hz : facts->refresh_hz;
        }
    }
}

/* Parses "supportedRefreshRates [60.0, 90.0]" of Android 5. */
static void read_rates(struct dj_device_facts *facts, struct dj_str rates)
{
    double hz;
    rates = dj_str_until(rates, "]");
    while (dj_str_double(rates, &hz)) {
        add_rate(facts, hz);
        if (!dj_str_after(rates, ",", &rates)) {
            break;
        }
    }
}

/* Removes inner lists such as "alternativeRefreshRates=[…]", because read_modes() would
 * take their "]" for the end of the list of modes. */
static void remove_inner_lists(struct dj_text *text, struct dj_str line)
{
    int depth = 0;
    for (size_t i = 0; i < line.length; i++) {
        char c = line.at[i];
        depth += c == '[';
        if (depth <= 1) {
            dj_text_append(text, &c, 1);
        }
        depth -= c == ']' && depth > 0;
    }
}

static void read_display_line(struct dj_device_facts *facts, struct dj_str line)
{
    struct dj_str value, before;
    int64_t mode = -1;
    double hz;
    if ((dj_str_after(line, " modeId ", &value) ||
         dj_str_after(line, ", mode ", &value)) &&
        dj_str_int(value, &mode) && dj_str_after(line, "odes [", &value)) {
        read_modes(facts, value, mode);
    } else if (dj_str_after(line, "supportedRefreshRates [", &value)) {
        read_rates(facts, value);
    }
    /* Up to Android 5, the line is "…, 1080 x 1920, 60.0 fps, supportedRefreshRates…". */
    if (mode < 0 && dj_str_after(line, " x ", &value) &&
        dj_str_after(value, ", ", &value) &&
        dj_str_after((before = dj_str_until(value, ",")), " fps", &value) &&
        dj_str_double(before, &hz) && hz > 1) {
        facts->refresh_hz = hz;
        add_rate(facts, hz);
    }
    /* Since Android 12, an app may run at a fraction of the rate of the display. This
     * value is the rate of the app. */
    if (dj_str_after(line, "renderFrameRate ", &value) && dj_str_double(value, &hz) &&
        hz > 1) {
        facts->refresh_hz = hz;
    }
}

/* Reads the facts of the built-in display, which is the first one in the list, and of the
 * logical display after it. */
void dj_facts_read_display(struct dj_device_facts *facts, const char *text, size_t length)
{
    struct dj_str rest = {text, length}, line;
    bool device = false, logical = false;
    while (dj_str_next_line(&rest, &line) && !(device && logical)) {
        bool is_device = dj_str_begins(line, "DisplayDeviceInfo{");
        bool is_logical = dj_str_begins(line, "mBaseDisplayInfo=DisplayInfo{");
        if ((is_device && !device) || (is_logical && !logical)) {
            struct dj_text flat = {0};
            remove_inner_lists(&flat, line);
            read_display_line(facts, (struct dj_str){dj_text_get(&flat), flat.length});
            dj_text_finish(&flat);
            device = device || is_device;
            logical = logical || is_logical;
        }
    }
}
