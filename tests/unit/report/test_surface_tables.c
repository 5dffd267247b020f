/* Tests the tables and the JSON of layers of SurfaceFlinger. */
#include <criterion/criterion.h>
#include <string.h>

#include "gfxinfo/parse.h"
#include "report/dump/dump.h"
#include "report/dump/surface_tables.h"
#include "support.h"

static struct dj_document document;
static struct dj_surface_tables tables;
static struct dj_dump dump;
static struct dj_text out;

static void finish(void)
{
    dj_document_finish(&document);
    dj_surface_tables_finish(&tables);
    dj_gfxinfo_dump_finish(&dump);
    dj_text_finish(&out);
}

TestSuite(surface_tables, .fini = finish);

static void read_layers(const char *text)
{
    dj_gfxinfo_dump_finish(&dump);
    dj_gfxinfo_parse_dump(text, strlen(text), &dump, NULL, NULL);
    dj_surface_tables_read(&tables, &dump.surfaces);
}

static const struct dj_block *find_block(enum dj_block_kind kind, size_t number)
{
    for (size_t i = 0; i < document.block_count; i++) {
        if (document.blocks[i].kind == kind && number-- == 0) {
            return &document.blocks[i];
        }
    }
    cr_assert_fail("no such block");
    return NULL;
}

static bool has_text(const char *words)
{
    for (size_t i = 0; i < document.block_count; i++) {
        if (document.blocks[i].text != NULL &&
            strstr(document.blocks[i].text, words) != NULL) {
            return true;
        }
    }
    return false;
}

static const char *get_cell(size_t table, size_t row, size_t column)
{
    const struct dj_table *cells = &find_block(DJ_BLOCK_TABLE, table)->table;
    return dj_text_get(&cells->cells[row * cells->column_count + column].text);
}

static const char timestats[] =
    "layerName = StatusBar#0\ntotalFrames = 4\naverageFPS = 60.000\n"
    "present2present histogram is as below:\n16ms=4\n\n"
    "layerName = com.a.b/com.a.b.Main#7\ntotalFrames = 10\ndroppedFrames = 2\n"
    "averageFPS = 50.000\npresent2present histogram is as below:\n16ms=9 33ms=1\n\n"
    "layerName = com.c.d/com.c.d.Main#8\ntotalFrames = 3\n";

Test(surface_tables, the_layer_with_the_most_frames_is_the_verdict)
{
    read_layers(timestats);
    dj_surface_tables_add_verdict(&document, &tables, "a.txt");
    cr_expect_str_eq(document.blocks[0].text,
                     "FRAMES SHOWN: com.a.b: 10 frames, 50.0" DJ_NBSP "fps on average");
    cr_expect(has_text("This is the layer with the most frames. SurfaceFlinger reports"));
    cr_expect(has_text("a.txt · 3 layers of SurfaceFlinger"));
}

Test(surface_tables, each_layer_is_a_row)
{
    static const char *const row[] = {
        "com.a.b/com.a.b.Main#7", "10", "2", "50.0", "16.0", "16.0", "33.0", "62.5"};
    read_layers(timestats);
    dj_surface_tables_add(&document, &tables);
    for (size_t i = 0; i < COUNT_OF(row); i++) {
        cr_expect_str_eq(get_cell(0, 1, i), row[i]);
    }
    cr_expect_str_eq(get_cell(0, 0, 2), "", "an unknown value has an empty cell");
    cr_expect_str_eq(get_cell(0, 2, 4), "");
    cr_expect(has_text("The percentiles of 1 layer are unknown"));
}

Test(surface_tables, latency_has_its_notes)
{
    read_layers("16666667\n1\t20000000\t1\n1\t40000000\t1\n"
                "1\t9223372036854775807\t1\n");
    dj_surface_tables_add_verdict(&document, &tables, "a.txt");
    dj_surface_tables_add(&document, &tables);
    cr_expect_str_eq(document.blocks[0].text,
                     "FRAMES SHOWN: a layer without a name: 2 "
                     "frames, one every 20.0" DJ_NBSP "ms (median)");
    cr_expect(has_text("--latency has the last 127 frames"));
    cr_expect(has_text("1 frame was not yet on the screen"));
}

Test(surface_tables, a_list_has_no_verdict)
{
    struct dj_text text = {0};
    for (int i = 0; i < 25; i++) {
        dj_text_format(&text, "SurfaceView[com.a.b/com.a.b.Main]#%d\n", i);
    }
    read_layers(dj_text_get(&text));
    dj_surface_tables_add_verdict(&document, &tables, "a.txt");
    cr_expect_eq(document.block_count, 0);
    dj_surface_tables_add(&document, &tables);
    cr_expect_str_eq(get_cell(0, 0, 0), "com.a.b");
    cr_expect_str_eq(get_cell(0, 19, 1), "SurfaceView[com.a.b/com.a.b.Main]#19");
    cr_expect(has_text("… and 5 more"));
    dj_text_finish(&text);
}

Test(surface_tables, no_layers_add_nothing)
{
    dj_surface_tables_add_verdict(&document, &tables, "a.txt");
    dj_surface_tables_add(&document, &tables);
    cr_expect_eq(document.block_count, 0);
}

Test(surface_tables, json_of_an_unknown_layer)
{
    read_layers("16666667\n");
    dj_report_write_json_surface(&out, &dump.surfaces.at[0]);
    cr_expect_str_eq(
        dj_text_get(&out),
        "{\"layer\":null,\"package\":null,\"kind\":\"latency\",\"line\":1,\"uid\":null,"
        "\"refresh_ns\":16666667,\"total_frames\":null,\"dropped_frames\":null,"
        "\"average_fps\":null,\"present_to_present\":{\"histogram\":null,\"p50_ms\":null,"
        "\"p90_ms\":null,\"p95_ms\":null,\"p99_ms\":null},\"google_p90_fps\":null,"
        "\"google_p99_fps\":null,\"jank\":null,\"present\":null,\"rows\":0,\"complete_"
        "rows\":0,"
        "\"pending_rows\":0,\"by_refresh_rate\":null}");
}

Test(surface_tables, json_of_two_refresh_rates)
{
    static const char layer[] =
        "displayRefreshRate = %d fps\nrenderRate = 60 fps\nuid = 1\n"
        "layerName = com.a.b/com.a.b.Main#7\ngameMode = Standard\ntotalFrames = 4\n"
        "droppedFrames = 1\nJank payload for this layer:\njankyFrames = 2\n"
        "averageFPS = 50.000\npresent2present histogram is as below:\n16ms=3 17ms=1\n\n";
    struct dj_text text = {0};
    dj_text_format(&text, layer, 60);
    dj_text_format(&text, layer, 120);
    read_layers(dj_text_get(&text));
    dj_report_write_json_surface(&out, &dump.surfaces.at[0]);
    const char *json = dj_text_get(&out);
    cr_expect(strstr(json,
                     "\"total_frames\":8,\"dropped_frames\":2,\"average_fps\":61.538,"
                     "\"present_to_present\":{\"histogram\":[[16,6],[17,2]],"
                     "\"p50_ms\":16,\"p90_ms\":17,"),
              "%s", json);
    cr_expect(strstr(json, "\"jank\":{\"jankyFrames\":4}"));
    cr_expect(strstr(json, "\"by_refresh_rate\":[{\"display_hz\":60,\"render_hz\":60,"
                           "\"game_mode\":\"Standard\",\"total_frames\":4,"));
    cr_expect(strstr(json, ",{\"display_hz\":120,"));
    dj_text_finish(&text);
}
