import type { Preset } from './preset.ts'

/** Stores and sites where customers write reviews. */
export const reviews: readonly Preset[] = [
  {
    // Download reports → Reviews: UTF-16, one file per month. The link contains the review's id.
    label: 'Google Play',
    has: [['package_name'], ['star_rating'], ['review_text']],
    columns: {
      title: ['review_title'],
      text: ['review_text'],
      date: ['review_submit_date_and_time', 'review_submit_millis_since_epoch'],
      link: ['review_link'],
      id: ['review_link'],
      rating: ['star_rating'],
    },
  },
  {
    // The customer reviews of the App Store Connect API, flat or as `attributes`.
    label: 'App Store Connect',
    has: [
      ['reviewer_nickname', 'attributes_reviewer_nickname'],
      ['body', 'attributes_body'],
      ['created_date', 'attributes_created_date'],
    ],
    columns: {
      title: ['title', 'attributes_title'],
      text: ['body', 'attributes_body'],
      author: ['reviewer_nickname', 'attributes_reviewer_nickname'],
      date: ['created_date', 'attributes_created_date'],
      id: ['id'],
      rating: ['rating', 'attributes_rating'],
    },
  },
  {
    // The public feed of a store's reviews (`customerreviews/…/json`): each value is a `label`.
    label: 'App Store',
    has: [['im_rating_label'], ['content_label'], ['author_name_label']],
    columns: {
      title: ['title_label'],
      text: ['content_label'],
      author: ['author_name_label'],
      date: ['updated_label'],
      id: ['id_label'],
      rating: ['im_rating_label'],
    },
  },
  {
    // Reviews → Download: the company's replies are in the same rows.
    label: 'Trustpilot',
    has: [['review_content', 'review_text'], ['review_title'], ['review_stars', 'review_rating']],
    columns: {
      title: ['review_title'],
      text: ['review_content', 'review_text'],
      author: ['review_username', 'reviewer_name', 'consumer_name', 'review_consumer_user_id'],
      date: ['review_created*', 'created_date*', 'review_date*'],
      link: ['review_url', 'review_link'],
      id: ['review_id', 'review_url', 'review_link'],
      rating: ['review_stars', 'review_rating'],
    },
  },
  {
    // What tools that read its pages write: `source` is the address of a page of many reviews.
    label: 'Trustpilot',
    has: [
      ['text'],
      ['title'],
      ['rating', 'stars'],
      ['experienced', 'dates_experienced_date'],
      ['published', 'dates_published_date'],
    ],
    columns: {
      title: ['title'],
      text: ['text'],
      author: ['consumer_display_name', 'consumer_name', 'author', 'username'],
      date: ['published', 'dates_published_date'],
      link: ['url', 'link'],
      id: ['id'],
      rating: ['rating', 'stars'],
    },
  },
  {
    // One column per question of the review: what is disliked says what to change.
    label: 'G2',
    has: [
      ['what_do_you_like_best*', 'attributes_comment_answers_love_value', 'comment_answers_love_value'],
      ['what_do_you_dislike*', 'attributes_comment_answers_hate_value', 'comment_answers_hate_value'],
    ],
    columns: {
      title: ['title', 'review_title', 'attributes_title'],
      text: ['what_do_you_dislike*', 'attributes_comment_answers_hate_value', 'comment_answers_hate_value'],
      author: ['reviewer_name', 'user_name', 'name', 'attributes_user_name'],
      date: ['submitted_at', 'submitted*', 'published_at', 'review_date', 'date', 'attributes_submitted_at'],
      link: ['review_url', 'url', 'link', 'attributes_url'],
      id: ['review_id', 'id', 'review_url', 'url'],
      rating: ['star_rating', 'rating', 'overall_rating', 'attributes_star_rating'],
    },
  },
]
