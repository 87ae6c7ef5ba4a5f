/** The most common codes, by Slack's names. Others, and a workspace's own, stay as typed. */
const TABLE = `
+1 👍 thumbsup 👍 -1 👎 thumbsdown 👎 ok_hand 👌 wave 👋 clap 👏 pray 🙏 muscle 💪 raised_hands 🙌 raised_hand ✋ point_up ☝️
point_right 👉 point_left 👈 point_down 👇 point_up_2 👆 fist ✊ facepunch 👊 punch 👊 v ✌️ crossed_fingers 🤞 handshake 🤝
writing_hand ✍️ eyes 👀 brain 🧠 smile 😄 smiley 😃 grinning 😀 grin 😁 laughing 😆 satisfied 😆 joy 😂 rolling_on_the_floor_laughing 🤣
rofl 🤣 sweat_smile 😅 slightly_smiling_face 🙂 upside_down_face 🙃 wink 😉 blush 😊 innocent 😇 relaxed ☺️ heart_eyes 😍 star-struck 🤩
kissing_heart 😘 yum 😋 stuck_out_tongue 😛 stuck_out_tongue_winking_eye 😜 sunglasses 😎 nerd_face 🤓 thinking_face 🤔 thinking 🤔
neutral_face 😐 expressionless 😑 no_mouth 😶 face_with_rolling_eyes 🙄 smirk 😏 grimacing 😬 relieved 😌 pensive 😔 sleepy 😪 sleeping 😴
mask 😷 face_with_thermometer 🤒 exploding_head 🤯 confused 😕 worried 😟 slightly_frowning_face 🙁 white_frowning_face ☹️ open_mouth 😮
hushed 😯 astonished 😲 flushed 😳 frowning 😦 anguished 😧 fearful 😨 cold_sweat 😰 disappointed_relieved 😥 cry 😢 sob 😭 scream 😱
confounded 😖 persevere 😣 disappointed 😞 sweat 😓 weary 😩 tired_face 😫 triumph 😤 rage 😡 angry 😠 skull 💀 hankey 💩 poop 💩
see_no_evil 🙈 hugging_face 🤗 hugs 🤗 shrug 🤷 face_palm 🤦 facepalm 🤦 heart ❤️ orange_heart 🧡 yellow_heart 💛 green_heart 💚 blue_heart 💙
purple_heart 💜 black_heart 🖤 broken_heart 💔 sparkling_heart 💖 fire 🔥 sparkles ✨ star ⭐ star2 🌟 zap ⚡ boom 💥 collision 💥 100 💯
tada 🎉 confetti_ball 🎊 balloon 🎈 gift 🎁 trophy 🏆 medal 🏅 rocket 🚀 airplane ✈️ car 🚗 hourglass ⌛ hourglass_flowing_sand ⏳ watch ⌚
alarm_clock ⏰ calendar 📅 date 📅 chart_with_upwards_trend 📈 chart_with_downwards_trend 📉 bar_chart 📊 clipboard 📋 pushpin 📌 memo 📝
pencil 📝 pencil2 ✏️ paperclip 📎 link 🔗 lock 🔒 unlock 🔓 key 🔑 bulb 💡 mag 🔍 mag_right 🔎 bell 🔔 no_bell 🔕 email ✉️ envelope ✉️
inbox_tray 📥 outbox_tray 📤 package 📦 phone ☎️ iphone 📱 computer 💻 keyboard ⌨️ printer 🖨️ camera 📷 bug 🐛 beetle 🐞 wrench 🔧 hammer 🔨
gear ⚙️ moneybag 💰 dollar 💵 euro 💶 credit_card 💳 receipt 🧾 warning ⚠️ no_entry ⛔ no_entry_sign 🚫 x ❌ heavy_check_mark ✔️
white_check_mark ✅ ballot_box_with_check ☑️ question ❓ grey_question ❔ exclamation ❗ heavy_exclamation_mark ❗ bangbang ‼️
rotating_light 🚨 red_circle 🔴 large_green_circle 🟢 large_yellow_circle 🟡 large_blue_circle 🔵 arrow_right ➡️ arrow_left ⬅️ arrow_up ⬆️ arrow_down ⬇️
recycle ♻️ sos 🆘 new 🆕 information_source ℹ️ coffee ☕ beer 🍺 beers 🍻 cake 🍰 pizza 🍕 sunny ☀️ cloud ☁️ umbrella ☔ snowflake ❄️ rainbow 🌈
snail 🐌 turtle 🐢 cat 🐱 dog 🐶 unicorn_face 🦄 robot_face 🤖 ghost 👻 partying_face 🥳 pleading_face 🥺 melting_face 🫠 saluting_face 🫡`

const words = TABLE.trim().split(/\s+/)
const byName = new Map<string, string>()
for (let index = 0; index + 1 < words.length; index += 2) byName.set(words[index] ?? '', words[index + 1] ?? '')

/** The character of a code such as `tada`, or undefined when it is not known here. */
export function emoji(name: string): string | undefined {
  return byName.get(name)
}
