-- What the guide is about: drive an app, and measure its frames meanwhile.
--
--   dejank script examples/scripts/measure_scrolling.lua --device SERIAL com.example.app [5]
--   dejank run --device SERIAL --package com.example.app --script examples/scripts/measure_scrolling.lua -n 10
--
-- By itself it prints the figures of its windows. Within `dejank run` each window is one of the run's, and the
-- figures are the run's own.

local package, times = ...
times = tonumber(times or "3")

local device = MonkeyRunner.waitForConnection(30)
assert(device, "no device within 30 s")

local width = tonumber(device:getProperty("display.width"))
local height = tonumber(device:getProperty("display.height"))
local middle, upper, lower = width // 2, height // 4, height * 3 // 4

local function scroll(from, to)
    return dejank.window{
        name = from > to and "scroll down" or "scroll up",
        device = device,
        package = package,
        function()
            for _ = 1, times do
                device:drag({middle, from}, {middle, to}, 0.3, 20)
            end
        end,
    }
end

for _, window in ipairs{scroll(lower, upper), scroll(upper, lower)} do
    if window.frames then
        print(("%-12s %4d frames, %d janky, 90th percentile %d ms"):format(
            window.name, window.frames, window.janky, window.p90_ms or 0))
    else
        print(window.name)
    end
end
