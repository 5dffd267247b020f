#include <math.h>

#include "measure/plan_parts.h"

/* What classes may ask for: how it is called, and its units (the first is shown). */
static const struct unit {
    const char *name;
    double factor;
} units[DJ_FACT_COUNT][5] = {
    [DJ_FACT_RAM] = {{"GB", 1e9}, {"MB", 1e6}, {"GiB", 1073741824}, {"MiB", 1048576}},
    [DJ_FACT_CORES] = {{"", 1}},
    [DJ_FACT_CPU_HZ] = {{"GHz", 1e9}, {"MHz", 1e6}},
    [DJ_FACT_API] = {{"", 1}},
    [DJ_FACT_DENSITY] = {{"dpi", 1}, {"", 1}},
    [DJ_FACT_REFRESH] = {{"Hz", 1}, {"", 1}},
    [DJ_FACT_WIDTH] = {{"dp", 1}, {"", 1}},
    [DJ_FACT_EMULATOR] = {{"", 1}},
};

const char *const dj_plan_class_keys[] = {
    [DJ_FACT_RAM] = "ram",         [DJ_FACT_CORES] = "cores",
    [DJ_FACT_CPU_HZ] = "cpu",      [DJ_FACT_API] = "api",
    [DJ_FACT_DENSITY] = "density", [DJ_FACT_REFRESH] = "refresh",
    [DJ_FACT_WIDTH] = "width",     [DJ_FACT_EMULATOR] = "emulator",
    [DJ_FACT_COUNT] = "model",
};
const size_t dj_plan_class_key_count = DJ_ROWS(dj_plan_class_keys);

/* Classes that need no words. The memory ones: what Android itself calls low, and what
 * current flagships have. */
static const struct dj_plan_class known[] = {
    {.name = "low-end",
     .needs = {{DJ_FACT_RAM, -INFINITY, 3e9, false, true}},
     .need_count = 1},
    {.name = "high-end",
     .needs = {{DJ_FACT_RAM, 8e9, INFINITY, false, false}},
     .need_count = 1},
    {.name = "tablet",
     .needs = {{DJ_FACT_WIDTH, 600, INFINITY, false, false}},
     .need_count = 1},
    {.name = "phone",
     .needs = {{DJ_FACT_WIDTH, -INFINITY, 600, false, true}},
     .need_count = 1},
    {.name = "high-refresh",
     .needs = {{DJ_FACT_REFRESH, 60, INFINITY, true, false}},
     .need_count = 1},
    {.name = "any", .need_count = 0},
};

/* ---- facts ---- */

static double known_or_nan(double value)
{
    return value < 0 ? NAN : value;
}

/* Of the shorter side, as Android's resources count it. */
static double width_dp(const struct dj_device_facts *facts)
{
    int side = facts->width_px < facts->height_px ? facts->width_px : facts->height_px;
    return side > 0 && facts->density_dpi > 0 ? side * 160.0 / facts->density_dpi : NAN;
}

static double highest_rate(const struct dj_device_facts *facts)
{
    double highest = facts->refresh_hz;
    for (size_t i = 0; i < facts->rate_count; i++) {
        highest =
            isnan(highest) || facts->rates_hz[i] > highest ? facts->rates_hz[i] : highest;
    }
    return highest;
}

double dj_plan_fact_of(const struct dj_device_facts *facts, enum dj_plan_fact fact)
{
    switch (fact) {
    case DJ_FACT_RAM:
        return known_or_nan((double)facts->ram_bytes);
    case DJ_FACT_CORES:
        return known_or_nan(facts->cores);
    case DJ_FACT_CPU_HZ:
        return known_or_nan((double)facts->cpu_max_hz);
    case DJ_FACT_API:
        return known_or_nan(facts->api);
    case DJ_FACT_DENSITY:
        return known_or_nan(facts->density_dpi);
    case DJ_FACT_REFRESH:
        return highest_rate(facts);
    case DJ_FACT_WIDTH:
        return width_dp(facts);
    case DJ_FACT_EMULATOR:
        return known_or_nan(facts->emulator);
    default:
        return NAN;
    }
}

static bool meets(double value, const struct dj_plan_need *need)
{
    return !isnan(value) && (need->above ? value > need->least : value >= need->least) &&
           (need->below ? value < need->most : value <= need->most);
}

bool dj_plan_class_holds(const struct dj_plan_class *class,
                         const struct dj_device_facts *facts)
{
    for (size_t i = 0; i < class->need_count; i++) {
        const struct dj_plan_need *need = &class->needs[i];
        if (!meets(dj_plan_fact_of(facts, need->fact), need)) {
            return false;
        }
    }
    return class->model == NULL || strcasestr(facts->model, class->model) != NULL;
}

/* ---- words ---- */

static void put_bound(struct dj_text *text, const struct dj_plan_need *need, double bound)
{
    const struct unit *unit = &units[need->fact][0];
    dj_text_format(text, "%.6g%s%s", bound / unit->factor,
                   unit->name[0] != '\0' ? " " : "", unit->name);
}

void dj_plan_class_words(struct dj_text *text, const struct dj_plan_class *class)
{
    for (size_t i = 0; i < class->need_count; i++) {
        const struct dj_plan_need *need = &class->needs[i];
        dj_text_format(text, "%s%s", i > 0 ? ", " : "", dj_plan_class_keys[need->fact]);
        if (need->fact == DJ_FACT_EMULATOR) {
            dj_text_string(text, need->least > 0 ? " yes" : " no");
            continue;
        }
        if (need->least == need->most) {
            dj_text_string(text, " ");
            put_bound(text, need, need->least);
            continue;
        }
        if (isfinite(need->least)) {
            dj_text_string(text, need->above ? " > " : " ≥ ");
            put_bound(text, need, need->least);
        }
        if (isfinite(need->most)) {
            dj_text_string(text, need->below ? " < " : " ≤ ");
            put_bound(text, need, need->most);
        }
    }
    if (class->model != NULL) {
        dj_text_format(text, "%smodel ", class->need_count > 0 ? ", " : "");
        dj_text_escaped_name(text, class->model);
    }
}

/* ---- reading ---- */

/* "3 GB", with one of the fact's units. */
static bool read_value(const char **at, enum dj_plan_fact fact, double *value)
{
    char *end;
    *at += strspn(*at, " ");
    if (**at == '\0' || strchr("0123456789.", **at) == NULL) {
        return false;
    }
    double number = strtod(*at, &end);
    const char *name = end + strspn(end, " ");
    size_t length = strcspn(name, " .<>=");
    for (size_t i = 0; i < DJ_ROWS(units[fact]); i++) {
        const struct unit *unit = &units[fact][i];
        if (unit->name != NULL && strlen(unit->name) == length &&
            strncasecmp(name, unit->name, length) == 0) {
            *value = number * unit->factor;
            *at = name + length;
            return isfinite(number);
        }
    }
    return false;
}

/* "< 3 GB", "2..4 GB", "8 GB". */
static bool read_need(const char *text, enum dj_plan_fact fact, struct dj_plan_need *need)
{
    static const struct {
        const char *word;
        bool upper, strict;
    } signs[] = {{"<=", true, false}, {">=", false, false}, {"≤", true, false},
                 {"≥", false, false}, {"<", true, true},    {">", false, true}};
    const char *at = text + strspn(text, " ");
    *need = (struct dj_plan_need){.fact = fact, .least = -INFINITY, .most = INFINITY};
    for (size_t i = 0; i < DJ_ROWS(signs); i++) {
        if (strncmp(at, signs[i].word, strlen(signs[i].word)) == 0) {
            at += strlen(signs[i].word);
            *(signs[i].upper ? &need->below : &need->above) = signs[i].strict;
            return read_value(&at, fact, signs[i].upper ? &need->most : &need->least) &&
                   at[strspn(at, " ")] == '\0';
        }
    }
    const char *dots = strstr(at, "..");
    if (dots != NULL) {
        char *end;
        const char *second = dots + 2;
        double least = strtod(at, &end);
        if ((end != dots && end != dots + 1) || end == at ||
            !read_value(&second, fact, &need->most)) {
            return false;
        }
        double most = strtod(dots + 2, NULL);
        need->least = most > 0 ? least * (need->most / most) : least;
        return second[strspn(second, " ")] == '\0' && need->least <= need->most;
    }
    bool read = read_value(&at, fact, &need->least) && at[strspn(at, " ")] == '\0';
    need->most = need->least;
    return read;
}

static bool read_yes(const char *text, struct dj_plan_need *need)
{
    bool yes = strcasecmp(text, "yes") == 0 || strcasecmp(text, "true") == 0;
    bool no = strcasecmp(text, "no") == 0 || strcasecmp(text, "false") == 0;
    *need = (struct dj_plan_need){
        .fact = DJ_FACT_EMULATOR, .least = yes ? 1 : 0, .most = yes ? 1 : 0};
    return yes || no;
}

static void fault_of_need(const struct dj_tree_node *node, enum dj_plan_fact fact,
                          struct dj_plan_faults *faults)
{
    const char *found = node->kind == DJ_TREE_SCALAR ? node->text : dj_node_kind(node);
    const char *unit = units[fact][0].name;
    const char *gap = unit[0] != '\0' ? " " : "";
    if (fact == DJ_FACT_EMULATOR) {
        dj_plan_fault(faults, node, "'emulator': expected yes or no, found '%.60s'",
                      found);
    } else {
        dj_plan_fault(faults, node,
                      "'%s': expected a bound such as \"< 3%s%s\" or a range "
                      "\"2..4%s%s\", found '%.60s'",
                      dj_plan_class_keys[fact], gap, unit, gap, unit, found);
    }
}

static void read_key(const struct dj_tree_node *node, enum dj_plan_fact fact,
                     struct dj_plan_class *class, struct dj_plan_faults *faults)
{
    struct dj_plan_need *need = &class->needs[class->need_count];
    const char *text = node->kind == DJ_TREE_SCALAR ? node->text : "";
    if (fact == DJ_FACT_COUNT) {
        class->model = text;
        if (text[0] == '\0') {
            dj_plan_fault(faults, node, "'model': expected a part of its name, found %s",
                          dj_node_kind(node));
        }
    } else if (fact == DJ_FACT_EMULATOR ? read_yes(text, need)
                                        : read_need(text, fact, need)) {
        class->need_count++;
    } else {
        fault_of_need(node, fact, faults);
    }
}

void dj_plan_read_class(const struct dj_tree_node *map, const struct dj_tree_node *name,
                        struct dj_plan_class *class, struct dj_plan_faults *faults)
{
    const char *names[DJ_ROWS(known)];
    char near[120];
    *class =
        (struct dj_plan_class){.name = name->kind == DJ_TREE_SCALAR ? name->text : ""};
    if (class->name[0] == '\0') {
        dj_plan_fault(faults, name, "'class': expected a name, found %s",
                      dj_node_kind(name));
    }
    size_t keys = 0;
    for (size_t i = 0; i < dj_plan_class_key_count; i++) {
        const struct dj_tree_node *node = dj_tree_get(map, dj_plan_class_keys[i]);
        if (node != NULL) {
            read_key(node, (enum dj_plan_fact)i, class, faults);
            keys++;
        }
    }
    if (keys > 0 || class->name[0] == '\0') {
        return;
    }
    for (size_t i = 0; i < DJ_ROWS(known); i++) {
        names[i] = known[i].name;
        if (strcmp(known[i].name, class->name) == 0) {
            *class = known[i];
            return;
        }
    }
    dj_words_near(class->name, names, DJ_ROWS(known), near, sizeof(near));
    dj_plan_fault(faults, name,
                  "class '%.40s' says not what it is of: give it ram, cores, cpu, api, "
                  "density, refresh, width, emulator or model%s",
                  class->name, near);
}
