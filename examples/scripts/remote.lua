-- A keyboard for a device: the sample in which one asks and the device obeys.
--
--   dejank script examples/scripts/remote.lua --device SERIAL

local device = MonkeyRunner.waitForConnection(30)
assert(device, "no device within 30 s")

local words = {"home", "back", "menu", "type a text", "leave"}
while true do
    local chosen = MonkeyRunner.choice("What is to be done?", words, "Remote")
    if chosen == -1 or words[chosen + 1] == "leave" then
        break
    elseif words[chosen + 1] == "type a text" then
        local text = MonkeyRunner.input("Which?", "hello", "Remote")
        if text then
            device:type(text)
        end
    else
        device:press("KEYCODE_" .. words[chosen + 1]:upper(), MonkeyDevice.DOWN_AND_UP)
    end
end
